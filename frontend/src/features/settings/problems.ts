import type { SettingsView } from "../../bridge/types";
import type { CommandRegistry } from "../../lib/commands";

/** One thing in the settings file that could not be used. */
export interface SettingsProblem {
  /** From 1; 0 when it is not known. */
  line: number;
  key: string;
  text: string;
}

/** What is wrong in the file: as the backend read it, and keys that only the page can judge. */
export function problemsOf(view: SettingsView | undefined, commands: CommandRegistry): SettingsProblem[] {
  const keys = commands.problems().map(({ id, text }) => ({ line: 0, key: `keys.${id}`, text }));
  return [...(view?.problems ?? []).map(({ line, key, text }) => ({ line, key, text })), ...keys];
}

/** "line 7, terminal.fontSize: must be a number" */
export function problemText({ line, key, text }: SettingsProblem): string {
  const where = [line > 0 && `line ${line}`, key].filter(Boolean).join(", ");
  return where ? `${where}: ${text}` : text;
}
