import { createStore, type StoreApi } from "zustand/vanilla";
import type { SearchWish } from "../features/search";
import type { SectionId } from "../features/settings";
import type { Cover } from "../lib/commands";

/** What lies over or in the place of the panes. */
export interface ShellState {
  palette: boolean;
  needs: boolean;
  /** The open search over kept output, by what it began with. */
  search: SearchWish | undefined;
  /** The command history. */
  history: boolean;
  /** How the last search was left. */
  searched: SearchWish;
  /** The path that the dialogue for playing a recording begins with; undefined while it is not open. */
  play: string | undefined;
  /** The open section of the settings; undefined while the panes are in view. */
  settings: SectionId | undefined;
}

export type Shell = StoreApi<ShellState>;

/** The one place that knows what covers the panes. */
export const covered = ({ settings }: ShellState): boolean => settings !== undefined;

/** The settings as what lies over the panes. */
export function coverOf(shell: Shell): Cover {
  return {
    covered: () => covered(shell.getState()),
    leave: () => shell.setState({ settings: undefined }),
  };
}

export function createShell(): Shell {
  return createStore<ShellState>(() => ({
    palette: false,
    needs: false,
    search: undefined,
    history: false,
    searched: {},
    play: undefined,
    settings: undefined,
  }));
}
