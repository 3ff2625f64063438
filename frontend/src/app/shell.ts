import { createStore, type StoreApi } from "zustand/vanilla";
import type { SectionId } from "../features/settings";

/** What lies over or in the place of the panes. */
export interface ShellState {
  palette: boolean;
  needs: boolean;
  /** The open section of the settings; undefined while the panes are in view. */
  settings: SectionId | undefined;
}

export type Shell = StoreApi<ShellState>;

export function createShell(): Shell {
  return createStore<ShellState>(() => ({ palette: false, needs: false, settings: undefined }));
}
