import "./needs.css";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useRef } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useMirror } from "../../bridge/context";
import { count, cx } from "../../lib/format";
import { Button, Tip } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { useFocusBack } from "../../ui/Dialog";
import { Key } from "../../ui/Keys";
import { StateGlyph } from "../../ui/StateGlyph";
import { useSession } from "../workspace";
import { type NeedRow, needRows } from "./model";

function useNeeds(): NeedRow[] {
  const known = useStore(
    useMirror().store,
    useShallow(({ model, statuses }) => ({ model, statuses })),
  );
  return needRows(known);
}

/** How much needs a person. Amber is only for what waits. */
export function NeedsButton() {
  const commands = useCommands();
  const rows = useNeeds();
  const waiting = rows.filter((r) => r.kind === "waiting").length;
  const failed = rows.length - waiting;
  return (
    <Tip text="What needs you" command="needs.open">
      <button
        type="button"
        className={cx("needs", waiting === 0 && "none")}
        aria-haspopup="dialog"
        onClick={() => commands.run("needs.open")}
      >
        {waiting > 0 ? (
          <>
            Needs you <span className="n">{waiting}</span>
          </>
        ) : failed > 0 ? (
          <>
            <StateGlyph state="failed" small silent /> {failed} failed
          </>
        ) : (
          "Nothing waits for you"
        )}
      </button>
    </Tip>
  );
}

const rowClass = "need-show";

/** The list of what needs a person, below its button. Arrows choose, Enter shows. */
export function NeedsYou({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const rows = useNeeds();
  const focusBack = useFocusBack();
  const list = useRef<HTMLUListElement>(null);
  // Shown once the list has given the focus back, so that the pane may take it.
  const chosen = useRef<string>(undefined);
  const show = (row: NeedRow) => {
    chosen.current = row.block;
    onClose();
  };
  const step = (by: number) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>(`.${rowClass}`) ?? [])];
    const at = all.findIndex((el) => el.parentElement?.contains(document.activeElement));
    all[at < 0 ? 0 : (at + by + all.length) % all.length]?.focus();
  };
  const keys = (e: KeyboardEvent) => {
    const again = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "j";
    if (e.key === "ArrowDown" || again) step(1);
    else if (e.key === "ArrowUp") step(-1);
    else return;
    e.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="needs-list"
          aria-describedby={undefined}
          onKeyDown={keys}
          onCloseAutoFocus={(event) =>
            focusBack(event, () => chosen.current && session.focusBlock(chosen.current))
          }
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (rows.length > 0) step(0);
            else (event.target as HTMLElement).focus();
          }}
        >
          <header>
            <Dialog.Title>Needs you</Dialog.Title>
            <span className="grow" />
            {rows.length > 0 && <span className="t3">{count(rows.length, "terminal")}</span>}
          </header>
          {rows.length === 0 ? (
            <div className="needs-empty">
              <b>Nothing waits for you</b>
              <p>
                What waits for your answer is listed here, and terminals that could not start or broke off. A
                command that ended with an error is not: its tab and its row in the tree say so.
              </p>
            </div>
          ) : (
            <ul ref={list}>
              {rows.map((row) => (
                <li key={row.block} data-kind={row.kind}>
                  <button type="button" className={rowClass} title={row.why} onClick={() => show(row)}>
                    <StateGlyph state={row.kind} />
                    <span className="what">
                      <b className="cut">{row.name}</b>
                      <span className="cut">{row.why}</span>
                    </span>
                    <span className="at">
                      <span>{row.since}</span>
                      <span className="cut">{row.where}</span>
                    </span>
                  </button>
                  <Button small aria-label={`Show ${row.name}`} onClick={() => show(row)}>
                    Show
                  </Button>
                  {row.kind === "failed" && (
                    <Button
                      small
                      look="ghost"
                      aria-label={`Restart ${row.name}`}
                      onClick={() =>
                        session.try(`${row.name} could not be restarted`, session.restart(row.block))
                      }
                    >
                      Restart
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
          <div className="foot">
            {rows.length > 0 && (
              <>
                <span>
                  <Key>↑</Key> <Key>↓</Key> choose
                </span>
                <span>
                  <Key>↵</Key> show
                </span>
              </>
            )}
            <span>
              <Key>Esc</Key> close
            </span>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
