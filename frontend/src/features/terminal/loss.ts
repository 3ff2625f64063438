// What a terminal shows where bytes of its stream are gone.

import { sizeText } from "../../lib/format";

// Ends whatever sequence the loss has cut, also a character's bytes.
const CANCEL = "\x18";
// The same as the backend writes between two programs: what the lost bytes would
// have switched off again must not stay on. The cursor keeps its place.
const RESET_MODES =
  "\x1b7\x1b[?1049l" +
  "\x1b[?1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[?1l\x1b>\x1b[?25h\x1b[?7h\x1b[4l" +
  "\x1b7\x1b[r\x1b8\x1b[0m\x1b(B\x0f\r\n";

/** The bytes for an emulator: a dim line below what is there, and nothing of what was on stays on. */
export function lossLine(bytes: number, unsure: boolean): Uint8Array {
  const text = `${unsure ? "up to " : ""}${sizeText(bytes)} lost`;
  return new TextEncoder().encode(`${CANCEL}${RESET_MODES}\x1b[2m${text}\x1b[0m\x1b[K\r\n`);
}
