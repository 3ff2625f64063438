import type { SearchWish } from "../features/search";
import { type SectionId, sections } from "../features/settings";
import type { WorkspaceSession } from "../features/workspace";
import type { Command, CommandRegistry } from "../lib/commands";
import { type Disposable, DisposableStore } from "../lib/disposable";
import type { Shell } from "./shell";

/** Parts of the window in the order in which the focus goes round. */
const parts = [".tree .rows", ".panes", ".settings input", ".dock", ".title .wtab.on", ".status button"];

/** By what else the sections of the settings are found. */
const words: Record<SectionId, string> = {
  look: "theme dark light colours colors tree dock",
  terminal: "font size shell cursor scrollback bell paste",
  keys: "",
  storage: "disk log limit output",
};

/** Moves the focus to the next part of the window that can take it. */
function focusNextPart(session: WorkspaceSession): void {
  const here = document.activeElement;
  const found = parts.map((p) => document.querySelector<HTMLElement>(p));
  const at = found.findIndex((el) => el?.contains(here));
  for (let i = 1; i <= found.length; i++) {
    const el = found[(at + i + found.length) % found.length];
    if (!el || el.closest("[inert]")) continue;
    if (el.matches(".panes")) {
      const block = session.dock?.activeBlock;
      if (block === undefined) continue;
      session.focusBlock(block);
      return;
    } else if (el.matches(".dock")) el.querySelector<HTMLElement>("button, [tabindex='0']")?.focus();
    else el.focus();
    if (document.activeElement !== here) return;
  }
}

/** The commands of the window itself. */
export function registerAppCommands(
  registry: CommandRegistry,
  shell: Shell,
  session: WorkspaceSession,
): Disposable {
  const { mirror } = session;
  const settings = (section: SectionId | undefined) => shell.setState({ settings: section });
  const toggle = (path: "treeShown" | "dockShown") => async () => {
    const view = mirror.known.settings;
    if (!view) return;
    const value = !view.settings.view[path];
    mirror.takeSettings(await mirror.api.settings.set({ path: `view.${path}`, value }));
  };
  const themes = { dark: "night black", light: "day white", system: "desktop automatic" } as const;
  const theme = (value: keyof typeof themes): Command => ({
    id: `theme.${value}`,
    title: `Theme: ${value}`,
    group: "Window",
    words: `look colours colors ${themes[value]}`,
    run: async () => mirror.takeSettings(await mirror.api.settings.set({ path: "theme", value })),
  });
  const section = ({ id, title }: (typeof sections)[number]): Command => ({
    id: `settings.${id}`,
    title: `Settings: ${title}`,
    group: "Window",
    words: `preferences options configuration ${words[id]}`,
    run: () => settings(id),
  });
  const commands: Command[] = [
    {
      id: "palette.open",
      title: "Find any command",
      group: "Window",
      keys: ["Mod+Shift+P", "Mod+Shift+K", "Mod+K"],
      run: () => shell.setState({ palette: true }),
    },
    {
      id: "needs.open",
      title: "Show what needs you",
      group: "Window",
      words: "waiting attention failed queue notifications",
      keys: ["Mod+Shift+J", "Mod+J"],
      run: () => shell.setState({ needs: true }),
    },
    {
      id: "search.open",
      title: "Find in output",
      group: "Window",
      words: "search grep history log scrollback all terminals",
      // With Command it is "find previous" on macOS.
      keys: ["Ctrl+Shift+G"],
      when: () => Object.keys(mirror.known.model.blocks).length > 0,
      run: (wish) =>
        shell.setState({ search: { ...shell.getState().searched, ...(wish as SearchWish | undefined) } }),
    },
    {
      id: "history.open",
      title: "Command history",
      group: "Window",
      words: "shell past commands again recent run all terminals",
      keys: ["Mod+Shift+H"],
      run: () => shell.setState({ history: true }),
    },
    {
      id: "settings.open",
      title: "Settings",
      group: "Window",
      words: "preferences options configuration",
      keys: ["Mod+,"],
      run: () => settings(shell.getState().settings === undefined ? "look" : undefined),
    },
    {
      id: "keys.show",
      title: "Keys",
      group: "Window",
      words: "shortcuts bindings hotkeys help",
      detail: () => "all commands and their keys",
      run: () => settings("keys"),
    },
    ...sections.filter((s) => s.id !== "keys").map(section),
    ...(Object.keys(themes) as (keyof typeof themes)[]).map(theme),
    {
      id: "app.about",
      title: "About Drover",
      group: "Window",
      words: "version help data folder",
      run: () => {
        const { hello } = mirror.known;
        if (!hello) return;
        session.toasts.show({
          id: "about",
          title: `Drover ${hello.version}`,
          text: `On ${hello.platform}, ${hello.browser ? "in a browser" : "in its own window"}. Its data is in ${hello.dataDir}.`,
          life: 0,
        });
      },
    },
    {
      id: "tree.toggle",
      title: "Show or hide the swarm tree",
      group: "Window",
      words: "sidebar panel processes",
      keys: ["Mod+Shift+B"],
      run: toggle("treeShown"),
    },
    {
      id: "dock.toggle",
      title: "Show or hide the activity dock",
      group: "Window",
      words: "panel bottom ended processes",
      keys: ["Mod+Shift+Y"],
      run: toggle("dockShown"),
    },
    {
      id: "window.nextPart",
      title: "Focus the next part of the window",
      group: "Window",
      words: "keyboard tab",
      keys: ["Mod+Shift+F6", "F6"],
      run: () => focusNextPart(session),
    },
  ];
  const store = new DisposableStore();
  for (const command of commands) store.add(registry.register(command));
  return store;
}
