// The text of a terminal, for the plain view, for saving and for screen readers.

import type { IBuffer } from "@xterm/xterm";

/** All lines that are kept, wrapped ones joined, without empty ones at the end. */
export function textOf(buffer: IBuffer): string {
  const lines: string[] = [];
  for (let y = 0; y < buffer.length; y++) {
    const line = buffer.getLine(y);
    if (!line) continue;
    // A line that goes on keeps its blanks: they may stand between two words.
    const goesOn = buffer.getLine(y + 1)?.isWrapped ?? false;
    const text = line.translateToString(!goesOn);
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines.length === 0 ? "" : `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** A name for a file of a terminal, without its ending: letters and digits of the title, and the time. */
export function fileNameFor(title: string, at: Date): string {
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|-+$/g, "");
  const stamp = at.toISOString().slice(0, 19).replace(/[:T]/g, "-");
  return `${name.slice(0, 60) || "terminal"}-${stamp}`;
}
