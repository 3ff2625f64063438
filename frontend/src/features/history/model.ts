import type { HistoryCommand } from "../../bridge/types";
import { ageText, moment, tildePath } from "../../lib/format";
import type { StateName } from "../../lib/state";

// What the command history knows of rows and words. Pure.

/** A command as a row shows it. */
export interface Row {
  readonly key: string;
  /** Its first line, and how many come after. */
  readonly text: string;
  readonly more: number;
  readonly dir: string;
  readonly state: StateName;
  /** "exit 2", "12 s", "3 h ago": what is worth a word. */
  readonly exit: string;
  readonly took: string;
  readonly age: string;
}

/** A command that took less is not worth a word (milliseconds). */
const QUICK = 1000;

export function rowOf(command: HistoryCommand, home: string, now: number): Row {
  const [text = "", ...more] = command.text.split("\n");
  const began = moment(command.began);
  return {
    key: String(command.id),
    text,
    more: more.length,
    dir: tildePath(command.dir, home),
    state: command.exit < 0 ? "unknown" : command.exit === 0 ? "done" : "failed",
    exit: command.exit > 0 ? `exit ${command.exit}` : "",
    took: command.took < QUICK ? "" : ageText(command.took),
    age: began === undefined ? "" : `${ageText(now - began)} ago`,
  };
}

/** What stands below the list. */
export function summary(shown: number, total: number): string {
  if (shown >= total) return "";
  return `The newest ${shown} of ${total.toLocaleString("en")}. Type more to find others.`;
}
