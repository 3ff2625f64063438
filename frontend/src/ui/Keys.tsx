import { type Chord, chordCaps, chordText } from "../lib/chord";
import { useCommands } from "./commands";

/** The caps of a chord. */
export function ChordKeys({ chord, mac }: { chord: Chord; mac: boolean }) {
  return (
    <span className="keys" role="img" aria-label={chordText(chord)}>
      {chordCaps(chord, mac).map((cap) => (
        <kbd className="key" key={cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}

/** The caps of the chord that a command has now; nothing when it has none. */
export function CommandKeys({ id }: { id: string }) {
  const commands = useCommands();
  const chord = commands.shownChord(id);
  return chord ? <ChordKeys chord={chord} mac={commands.mac} /> : null;
}

/** Caps of fixed keys that are no command: Esc in a dialogue, Enter on a button. */
export function Key({ children }: { children: string }) {
  return <kbd className="key">{children}</kbd>;
}
