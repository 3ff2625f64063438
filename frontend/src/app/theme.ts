import type { Mirror } from "../bridge/mirror";
import type { Settings } from "../bridge/types";
import { type Disposable, DisposableStore } from "../lib/disposable";

type Setting = Settings["theme"] | undefined;

/** The theme to draw for a setting and what the desktop says. */
export function themeOf(setting: Setting, dark: boolean): "dark" | "light" {
  if (setting === "dark" || setting === "light") return setting;
  return dark ? "dark" : "light";
}

const rememberedName = "drover.theme";

/** The setting as it was known last, so that the page does not flip once the settings are here. */
function remembered(win: Window): Setting {
  try {
    return (win.localStorage.getItem(rememberedName) as Setting) ?? undefined;
  } catch {
    return undefined; // a browser that keeps nothing
  }
}

function remember(win: Window, setting: Settings["theme"]): void {
  try {
    win.localStorage.setItem(rememberedName, setting);
  } catch {
    // Then the desktop decides until the settings are known.
  }
}

const darkQuery = "(prefers-color-scheme: dark)";

/** Puts the theme's class on html; without a setting the one that was known last. */
export function drawTheme(win: Window, setting?: Settings["theme"]): void {
  const theme = themeOf(setting ?? remembered(win), win.matchMedia(darkQuery).matches);
  const { classList } = win.document.documentElement;
  classList.toggle("theme-dark", theme === "dark");
  classList.toggle("theme-light", theme === "light");
}

/** Keeps the theme as the settings and the desktop want it. */
export function followTheme(mirror: Mirror, win: Window): Disposable {
  const store = new DisposableStore();
  const query = win.matchMedia(darkQuery);
  const apply = () => {
    const setting = mirror.known.settings?.settings.theme;
    if (setting) remember(win, setting);
    drawTheme(win, setting);
  };
  apply();
  query.addEventListener("change", apply);
  store.defer(() => query.removeEventListener("change", apply));
  store.defer(
    mirror.store.subscribe((now, before) => {
      if (now.settings !== before.settings) apply();
    }),
  );
  return store;
}
