// Whether the cursor blinks where no program says so by DECSCUSR is the person's to
// say. xterm.js has mode 12 change that setting, for good, and most programs
// switch it off in passing ("cnorm" of xterm's terminfo does). It also writes all
// its style rules anew for it, which costs WebKit 45 ms a time, and every screen
// that comes in place of bytes has the mode.

import type { IDisposable, Terminal } from "@xterm/xterm";

const BLINK = 12;

/** Keeps mode 12 from xterm.js. `own` is what the person wants. */
export function keepBlink(terminal: Terminal, own: () => boolean): IDisposable[] {
  const handle = (params: readonly (number | number[])[]): boolean => {
    if (!params.includes(BLINK)) return false;
    if (params.length === 1) return true;
    // With other modes, which are xterm.js's: it is put back after them.
    queueMicrotask(() => {
      terminal.options.cursorBlink = own();
    });
    return false;
  };
  return ["h", "l"].map((final) => terminal.parser.registerCsiHandler({ prefix: "?", final }, handle));
}
