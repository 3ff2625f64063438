import type { Mirror } from "../bridge/mirror";
import type { Settings } from "../bridge/types";
import { type Disposable, DisposableStore } from "../lib/disposable";

/** The theme to draw for a setting and what the desktop says. */
export function themeOf(setting: Settings["theme"] | undefined, dark: boolean): "dark" | "light" {
  if (setting === "dark" || setting === "light") return setting;
  return dark ? "dark" : "light";
}

/** Keeps the theme's class on html as the settings and the desktop want it. */
export function followTheme(mirror: Mirror, win: Window): Disposable {
  const store = new DisposableStore();
  const query = win.matchMedia("(prefers-color-scheme: dark)");
  const root = win.document.documentElement;
  const apply = () => {
    const theme = themeOf(mirror.known.settings?.settings.theme, query.matches);
    root.classList.toggle("theme-dark", theme === "dark");
    root.classList.toggle("theme-light", theme === "light");
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
