// Pictures in terminals (sixel, iTerm). What draws them comes after the window is
// up: most people never see one.

import type { ITerminalAddon } from "@xterm/xterm";

/** Pixels of one picture, as the backend's screen has it: a larger one is as if it had not come. */
const MOST_PIXELS = 8 << 20;
/** MB of all pictures of one terminal; the oldest go first, and a placeholder stands where they were. */
const STORAGE_MB = 48;
/** Bytes of one picture on its way. */
const MOST_BYTES = 16 << 20;

/** Makes the addon for one terminal. */
export type MakeImages = () => ITerminalAddon;

/** Gets what makes the addons, once the page has nothing better to do; undefined if it does not come. */
export async function loadImages(): Promise<MakeImages | undefined> {
  await new Promise<void>((go) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => go(), { timeout: 2000 });
    else setTimeout(go, 500); // WebKit has none
  });
  try {
    const { ImageAddon } = await import("@xterm/addon-image");
    return () =>
      new ImageAddon({
        enableSizeReports: false, // the backend answers
        pixelLimit: MOST_PIXELS,
        storageLimit: STORAGE_MB,
        sixelSizeLimit: MOST_BYTES,
        iipSizeLimit: MOST_BYTES,
      });
  } catch {
    return undefined; // text goes on without pictures
  }
}
