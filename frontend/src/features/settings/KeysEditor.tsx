import { RotateCcw, X } from "lucide-react";
import { useState } from "react";
import { type Chord, chordOf, chordText, shellUses } from "../../lib/chord";
import type { Command, CommandRegistry } from "../../lib/commands";
import { Button, IconButton } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { ChordKeys } from "../../ui/Keys";

/** Commands that have every word of a query in their names or keys. */
export function commandsFor(commands: CommandRegistry, query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (c: Command) =>
    `${c.group} ${c.title} ${commands.chords(c.id).map(chordText).join(" ")}`.toLowerCase();
  return commands.all().filter((c) => words.every((w) => text(c).includes(w)));
}

export interface KeysEditorProps {
  shown: readonly Command[];
  /** Gives a command a chord, "" for none, null for its default. */
  onKey: (id: string, chord: string | null) => void;
}

/** Commands with their keys; a press on them waits for new ones. */
export function KeysEditor({ shown, onKey }: KeysEditorProps) {
  const commands = useCommands();
  const [editing, setEditing] = useState("");
  const [wish, setWish] = useState<Chord>();
  const groups = [...new Set(shown.map((c) => c.group))];
  const conflicts = commands.conflicts();
  const stop = () => {
    setEditing("");
    setWish(undefined);
  };
  const set = (id: string, chord: string, alsoClear: readonly Command[] = []) => {
    for (const other of alsoClear) onKey(other.id, "");
    onKey(id, chord);
    stop();
  };
  return (
    <>
      {groups.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          {shown
            .filter((c) => c.group === group)
            .map((c) => (
              <KeyRow
                key={c.id}
                command={c}
                conflict={conflicts.filter((k) => k.commands.includes(c.id)).map((k) => k.chord)}
                wish={editing === c.id ? wish : undefined}
                editing={editing === c.id}
                onEdit={() => {
                  setEditing(c.id);
                  setWish(undefined);
                }}
                onWish={(chord) => {
                  if (commands.clashes(c.id, chord).length === 0) set(c.id, chordText(chord));
                  else setWish(chord);
                }}
                onTake={(chord) => set(c.id, chordText(chord), commands.clashes(c.id, chord))}
                onNone={() => set(c.id, "")}
                onReset={() => onKey(c.id, null)}
                onStop={stop}
              />
            ))}
        </section>
      ))}
    </>
  );
}

interface KeyRowProps {
  command: Command;
  conflict: readonly string[];
  wish: Chord | undefined;
  editing: boolean;
  onEdit: () => void;
  onWish: (chord: Chord) => void;
  onTake: (chord: Chord) => void;
  onNone: () => void;
  onReset: () => void;
  onStop: () => void;
}

function KeyRow(props: KeyRowProps) {
  const { command, wish, editing } = props;
  const commands = useCommands();
  const chords = commands.chords(command.id);
  const clash = wish ? commands.clashes(command.id, wish) : [];
  const others = props.conflict.flatMap((chord) =>
    commands
      .conflicts()
      .filter((k) => k.chord === chord)
      .flatMap((k) => k.commands)
      .filter((id) => id !== command.id)
      .map((id) => commands.find(id)?.title ?? id),
  );
  const said = clash.length > 0 ? clash.map((c) => c.title) : others;
  return (
    <div className="set-row">
      <div className="grow min-w-0">
        <div className="cut font-medium">{command.title}</div>
        {said.length > 0 && (
          <div className="said bad" role="alert">
            Also “{said.join("”, “")}”. One of the two has to give way.
          </div>
        )}
      </div>
      {editing && wish && (
        <>
          <ChordKeys chord={wish} mac={commands.mac} />
          <Button small onClick={() => props.onTake(wish)}>
            Take it
          </Button>
          <Button small look="ghost" onClick={props.onStop}>
            Undo
          </Button>
        </>
      )}
      {editing && !wish && (
        <button
          type="button"
          className="press"
          data-keys="raw"
          // biome-ignore lint/a11y/noAutofocus: it waits for the keys that come next
          autoFocus
          onBlur={props.onStop}
          onKeyDown={(e) => {
            e.preventDefault();
            e.stopPropagation();
            if (e.key === "Escape") return props.onStop();
            if (e.key === "Backspace" && !e.ctrlKey && !e.altKey && !e.metaKey) return props.onNone();
            const chord = chordOf(e);
            if (chord) props.onWish(chord);
          }}
        >
          Press the keys. Esc leaves, ⌫ takes them away.
        </button>
      )}
      {!editing && (
        <>
          <button
            type="button"
            className="chords"
            aria-label={`Change the keys of ${command.title}`}
            onClick={props.onEdit}
          >
            {chords.length === 0 && <span className="t3">none</span>}
            {chords.map((chord) => (
              <span key={chordText(chord)} className="inline-flex items-center gap-2">
                <ChordKeys chord={chord} mac={commands.mac} />
                {shellUses(chord) && <span className="t3 text-small">not in a terminal</span>}
              </span>
            ))}
          </button>
          {commands.isOverridden(command.id) ? (
            <IconButton icon={RotateCcw} name="Back to the default keys" onClick={props.onReset} />
          ) : (
            <IconButton icon={X} name="No keys" disabled={chords.length === 0} onClick={props.onNone} />
          )}
        </>
      )}
    </div>
  );
}
