import "./palette.css";
import { Command } from "cmdk";
import { ChevronRight, Layers, Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { useMemo, useRef, useState } from "react";
import { useMirror } from "../../bridge/context";
import { pieces } from "../../lib/fuzzy";
import { useCommands } from "../../ui/commands";
import { useFocusBack } from "../../ui/Dialog";
import { CommandKeys, Key } from "../../ui/Keys";
import { StateGlyph } from "../../ui/StateGlyph";
import { useSession } from "../workspace";
import { entries, type Found, find, type Target } from "./model";

function Item({ found, onRun }: { found: Found; onRun: (target: Target) => void }) {
  return (
    <Command.Item value={found.key} className="pi" onSelect={() => onRun(found.target)}>
      {found.state ? (
        <StateGlyph state={found.state} />
      ) : found.target.kind === "workspace" ? (
        <Layers className="ic" aria-hidden />
      ) : (
        <ChevronRight className="ic" aria-hidden />
      )}
      <span className="cut">
        {pieces(found.title, found.ranges).map((p, i) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
          p.hit ? <u key={i}>{p.text}</u> : <span key={i}>{p.text}</span>,
        )}
      </span>
      <span className="d cut grow">{found.detail}</span>
      {found.target.kind === "command" && <CommandKeys id={found.target.id} />}
    </Command.Item>
  );
}

/** Finds any command, pane or workspace. */
export function Palette({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const commands = useCommands();
  const { store } = useMirror();
  const focusBack = useFocusBack();
  const [typed, setTyped] = useState("");
  // What there is when it opens: the list must not move under the fingers.
  const all = useMemo(() => entries(commands.offered(), store.getState()), [commands, store]);
  const found = useMemo(() => find(all, typed), [all, typed]);
  // It runs once the dialogue has given the focus back, so that it may take it.
  const chosen = useRef<Target>(undefined);
  const run = (target: Target) => {
    chosen.current = target;
    onClose();
  };
  const gone = () => {
    const target = chosen.current;
    if (target?.kind === "command") commands.run(target.id);
    else if (target?.kind === "block") session.focusBlock(target.id);
    else if (target) {
      commands.uncover();
      session.try("That workspace could not be shown", session.activate(target.id));
    }
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="picker palette"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => focusBack(event, gone)}
        >
          <Dialog.Title className="sr-only">Find a command, a pane or a workspace</Dialog.Title>
          <Command shouldFilter={false} loop label="Palette">
            <div className="q">
              <Search className="ic" aria-hidden />
              <Command.Input value={typed} onValueChange={setTyped} placeholder="Search, or run a command" />
              {session.active && <span className="chip">{session.active.name}</span>}
            </div>
            <Command.List className="body">
              <Command.Empty className="none">Nothing here has “{typed}” in it.</Command.Empty>
              {(["Commands", "Go to"] as const).map((group) => {
                const list = found.filter((f) => f.group === group);
                if (list.length === 0) return null;
                return (
                  <Command.Group key={group} heading={group}>
                    {list.map((f) => (
                      <Item key={f.key} found={f} onRun={run} />
                    ))}
                  </Command.Group>
                );
              })}
            </Command.List>
            <div className="foot">
              <span>
                <Key>↑</Key> <Key>↓</Key> choose
              </span>
              <span>
                <Key>↵</Key> run
              </span>
              <span className="grow" />
              <span>
                <Key>{">"}</Key> commands
              </span>
              <span>
                <Key>@</Key> panes
              </span>
            </div>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
