// The colours that a program has set with OSC 4 and 10 to 12. xterm.js writes all
// its style rules anew for each such sequence, which costs WebKit some ten
// milliseconds, and every screen that comes in place of bytes holds all of them: so
// those that change nothing are kept from it.

import type { IDisposable, IParser } from "@xterm/xterm";

const PALETTE = "4;";

export class ProgramColours {
  // By what names it in the sequence, "4;7" or "11": the colour as it was written.
  private readonly set = new Map<string, string>();

  register(parser: IParser): IDisposable[] {
    return [
      parser.registerOscHandler(4, (data) => this.palette(data.split(";"))),
      parser.registerOscHandler(104, (data) => this.resetPalette(data)),
      ...[10, 11, 12].flatMap((code) => [
        parser.registerOscHandler(code, (data) => this.special(code, data.split(";"))),
        parser.registerOscHandler(code + 100, () => !this.set.delete(String(code))),
      ]),
    ];
  }

  /** Forgets them, because the theme has taken their places, and returns what sets them again. */
  forget(): string {
    const again = [...this.set].map(([name, colour]) => `\x1b]${name};${colour}\x07`).join("");
    this.set.clear();
    return again;
  }

  // Handlers say whether xterm.js is to be left out. Queries are the backend's.

  private palette(parts: readonly string[]): boolean {
    if (parts.includes("?")) return true;
    let changed = false;
    for (let i = 0; i + 1 < parts.length; i += 2)
      changed = this.put(`${PALETTE}${parts[i]}`, parts[i + 1] ?? "") || changed;
    return !changed;
  }

  /** Further colours are of the numbers after it. */
  private special(code: number, colours: readonly string[]): boolean {
    if (colours.includes("?")) return true;
    return !colours.map((colour, i) => this.put(String(code + i), colour)).includes(true);
  }

  private resetPalette(data: string): boolean {
    const names = data === "" ? [...this.set.keys()].filter((name) => name.startsWith(PALETTE)) : [];
    if (data !== "") names.push(...data.split(";").map((index) => PALETTE + index));
    return !names.map((name) => this.set.delete(name)).includes(true);
  }

  private put(name: string, colour: string): boolean {
    if (this.set.get(name) === colour) return false;
    this.set.set(name, colour);
    return true;
  }
}
