import "./history.css";
import { Command } from "cmdk";
import { Search, Trash2 } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useKnown, useMirror } from "../../bridge/context";
import type { HistoryCommand } from "../../bridge/types";
import { errorText } from "../../lib/format";
import { match, pieces } from "../../lib/fuzzy";
import { anySelected } from "../../lib/selection";
import { Button, IconButton } from "../../ui/Button";
import { useFocusBack } from "../../ui/Dialog";
import { Key } from "../../ui/Keys";
import { StateGlyph } from "../../ui/StateGlyph";
import { useSession } from "../workspace";
import { type Row, rowOf, summary } from "./model";

export interface HistoryDialogProps {
  copy: (text: string) => Promise<void>;
  /** Puts a command at the prompt of the terminal that has the focus, and runs it if told to. */
  enter: (text: string, run: boolean) => void;
  onClose: () => void;
}

/** The commands that shells have run in all terminals, found by their words. */
export function HistoryDialog({ copy, enter, onClose }: HistoryDialogProps) {
  const session = useSession();
  const focusBack = useFocusBack();
  const home = useKnown((k) => k.hello?.home ?? "");
  const [typed, setTyped] = useState("");
  const { found, current, error, load } = useFound(typed);
  const [picked, setPicked] = useState("");
  const [asking, setAsking] = useState(false);
  const rows = useMemo(
    () => (found?.commands ?? []).map((command) => ({ command, row: rowOf(command, home, Date.now()) })),
    [found, home],
  );
  // When the one that was picked is gone, the list picks its first: a moment later.
  // What an older answer has is not what was asked for, and must not be run.
  const at = current ? (rows.find(({ row }) => row.key === picked) ?? rows[0])?.command : undefined;
  // It runs once the dialogue has given the focus back to the terminal.
  const chosen = useRef<{ text: string; run: boolean }>(undefined);
  const { history } = useMirror().api;

  const take = (command: HistoryCommand, run: boolean) => {
    chosen.current = { text: command.text, run };
    onClose();
  };
  const forget = (command: HistoryCommand) =>
    session.try("It was not forgotten", history.forget({ id: command.id }).then(load));
  const clear = () => {
    setAsking(false);
    session.try("The history was not cleared", history.clear().then(load));
  };
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { key, target } = event;
    if (key === "Enter" && (!at || target instanceof HTMLButtonElement)) {
      event.preventDefault(); // or the list would take it
      if (target instanceof HTMLButtonElement) target.click();
      return;
    }
    if (!at) return;
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === "Enter") take(at, mod);
    else if (event.key.toLowerCase() === "c" && mod && !anySelected()) copied(at);
    else if (event.key === "Delete" && event.shiftKey) forget(at);
    else return;
    event.preventDefault();
  };
  const copied = ({ text }: HistoryCommand) =>
    session.try(
      "It was not copied",
      copy(text).then(() =>
        session.toasts.show({ id: "copied", level: "info", title: "Command copied", text }),
      ),
    );

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="picker history"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) =>
            focusBack(event, () => chosen.current && enter(chosen.current.text, chosen.current.run))
          }
        >
          <Dialog.Title className="sr-only">Command history</Dialog.Title>
          <Command
            shouldFilter={false}
            loop
            label="Command history"
            value={picked}
            onValueChange={setPicked}
            onKeyDown={keys}
          >
            <div className="q">
              <Search className="ic" aria-hidden />
              <Command.Input
                value={typed}
                onValueChange={setTyped}
                placeholder="Find a command by its words or its folder"
              />
              <IconButton
                icon={Trash2}
                name="Clear the history…"
                disabled={!found || found.total === 0}
                onClick={() => setAsking(true)}
              />
            </div>
            {asking && (
              <div className="ask" role="alertdialog" aria-label="Clear the history">
                <span className="grow">
                  Delete all commands of the history? The shells' own histories stay as they are.
                </span>
                <Button small look="danger" onClick={clear}>
                  Delete all
                </Button>
                <Button small autoFocus onClick={() => setAsking(false)}>
                  Keep
                </Button>
              </div>
            )}
            <Command.List className="body">
              {error ? (
                <div className="none bad" role="alert">
                  The history could not be read: {error}{" "}
                  <Button small onClick={load}>
                    Try again
                  </Button>
                </div>
              ) : found ? (
                <Command.Empty className="none">
                  <Nothing typed={typed} />
                </Command.Empty>
              ) : (
                <div className="none" role="status">
                  Looking…
                </div>
              )}
              {rows.map(({ command, row }) => (
                <Item key={row.key} row={row} typed={typed} onTake={() => take(command, false)} />
              ))}
              {found && summary(rows.length, found.total) && (
                <div className="none" role="status">
                  {summary(rows.length, found.total)}
                </div>
              )}
            </Command.List>
            <div className="foot">
              <span>
                <Key>↵</Key> to the prompt
              </span>
              <span>
                <Key>Ctrl</Key> <Key>↵</Key> run
              </span>
              <span>
                <Key>Ctrl</Key> <Key>C</Key> copy
              </span>
              <span>
                <Key>Shift</Key> <Key>Del</Key> forget it
              </span>
              <span className="grow" />
              <span>
                <Key>Esc</Key> close
              </span>
            </div>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Found = Awaited<ReturnType<ReturnType<typeof useMirror>["api"]["history"]["find"]>>;

/** The answer to the newest query; the one before stays, and is not current, until it is there. */
function useFound(text: string): {
  found: Found | undefined;
  current: boolean;
  error: string;
  load: () => void;
} {
  const { history } = useMirror().api;
  const [answer, setAnswer] = useState<{ text?: string; found?: Found; error: string }>({ error: "" });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn asks once more
  useEffect(() => {
    let wanted = true;
    history.find({ text }).then(
      (found) => wanted && setAnswer({ text, found, error: "" }),
      (error) => wanted && setAnswer({ error: errorText(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [history, text, turn]);
  const { found, error } = answer;
  return { found, error, current: answer.text === text, load: () => setTurn((n) => n + 1) };
}

function Nothing({ typed }: { typed: string }) {
  const settings = useKnown((k) => k.settings?.settings.terminal);
  if (typed.trim()) return <>No command has “{typed.trim()}” in it.</>;
  if (settings && !settings.commandHistory)
    return <>It is switched off: Settings, Storage, Command history.</>;
  if (settings && !settings.shellIntegration)
    return <>Nothing is known of commands while shell integration is off: Settings, Terminal.</>;
  return <>Nothing yet. What you run in bash, zsh or fish will be here, but for what begins with a blank.</>;
}

function Item({ row, typed, onTake }: { row: Row; typed: string; onTake: () => void }) {
  return (
    <Command.Item value={row.key} className="pi" onSelect={onTake}>
      <StateGlyph state={row.state} small />
      <code className="cut">
        <Marked text={row.text} typed={typed} />
        {row.more > 0 && <span className="d"> +{row.more}</span>}
      </code>
      <span className="d cut dir">
        <Marked text={row.dir} typed={typed} />
      </span>
      <span className="bad exit">{row.exit}</span>
      <span className="d num took">{row.took}</span>
      <span className="d num age">{row.age}</span>
    </Command.Item>
  );
}

/** A text in which each of the words is marked that it has. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const ranges = typed
    .split(/\s+/)
    .flatMap((word) => (word ? (match(text, word)?.ranges ?? []) : []))
    .sort((a, b) => a[0] - b[0]);
  return pieces(text, ranges).map((p, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
    p.hit ? <u key={i}>{p.text}</u> : <span key={i}>{p.text}</span>,
  );
}
