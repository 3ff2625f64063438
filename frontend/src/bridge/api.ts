import type {
  ActivitySnapshot,
  Block,
  ClosePreview,
  Closing,
  Hello,
  Layout,
  Model,
  OpenTerminal,
  Place,
  SettingsView,
  Signal,
  Status,
  Workspace,
} from "./types";

/** Calls one bound method: "Workspaces.Create" with its arguments. Rejects with the backend's own text. */
export type Call = (method: string, ...args: unknown[]) => Promise<unknown>;

/** Everything that the page may ask of the backend. */
export interface Api {
  app: {
    hello(): Promise<Hello>;
    openLink(url: string): Promise<void>;
    clipboardText(): Promise<string>;
    setClipboardText(text: string): Promise<void>;
    quit(): Promise<void>;
  };
  workspaces: {
    snapshot(): Promise<Model>;
    create(req: { name: string; dir: string }): Promise<Workspace>;
    rename(req: { id: string; name: string }): Promise<void>;
    activate(req: { id: string }): Promise<void>;
    reorder(req: { ids: string[] }): Promise<void>;
    setLayout(req: { workspace: string; base: number; layout: Layout }): Promise<Model>;
    openTerminal(req: OpenTerminal): Promise<Block>;
    moveBlock(req: { block: string; place: Place }): Promise<void>;
    renameBlock(req: { block: string; name: string }): Promise<void>;
    listDir(req: { path: string }): Promise<{ path: string; dirs: string[] | null }>;
    shells(): Promise<string[] | null>;
  };
  controllers: {
    list(): Promise<Status[] | null>;
    ensure(req: {
      block: string;
      force: boolean;
      revive: boolean;
      cols: number;
      rows: number;
    }): Promise<Status>;
    signal(req: { block: string; signal: Signal }): Promise<void>;
    preview(req: { blocks: string[]; workspace: string; now: boolean }): Promise<ClosePreview>;
    /** With a workspace it goes too, with all of its blocks. */
    close(req: { blocks: string[]; workspace: string; now: boolean }): Promise<Closing>;
    undo(req: { id: string }): Promise<Closing>;
    closeNow(req: { id: string }): Promise<Closing>;
  };
  activity: {
    snapshot(): Promise<ActivitySnapshot>;
    dismiss(req: { id: string }): Promise<void>;
    dismissAll(): Promise<void>;
    end(req: { process: string; force: boolean }): Promise<void>;
  };
  settings: {
    load(): Promise<SettingsView>;
    /** null takes the setting out of the file: the default holds. */
    set(req: { path: string; value: unknown }): Promise<SettingsView>;
  };
}

/** Types the bound methods. The casts are the boundary: what arrives is what the backend's structs say. */
export function createApi(call: Call): Api {
  const bind =
    (method: string) =>
    (...args: unknown[]) =>
      // biome-ignore lint/suspicious/noExplicitAny: one place types all answers, see above
      call(method, ...args) as Promise<any>;
  return {
    app: {
      hello: bind("App.Hello"),
      openLink: bind("App.OpenLink"),
      clipboardText: bind("App.ClipboardText"),
      setClipboardText: bind("App.SetClipboardText"),
      quit: bind("App.Quit"),
    },
    workspaces: {
      snapshot: bind("Workspaces.Snapshot"),
      create: bind("Workspaces.Create"),
      rename: bind("Workspaces.Rename"),
      activate: bind("Workspaces.Activate"),
      reorder: bind("Workspaces.Reorder"),
      setLayout: bind("Workspaces.SetLayout"),
      openTerminal: bind("Workspaces.OpenTerminal"),
      moveBlock: bind("Workspaces.MoveBlock"),
      renameBlock: bind("Workspaces.RenameBlock"),
      listDir: bind("Workspaces.ListDir"),
      shells: bind("Workspaces.Shells"),
    },
    controllers: {
      list: bind("Controllers.List"),
      ensure: bind("Controllers.Ensure"),
      signal: bind("Controllers.Signal"),
      preview: bind("Controllers.Preview"),
      close: bind("Controllers.Close"),
      undo: bind("Controllers.Undo"),
      closeNow: bind("Controllers.CloseNow"),
    },
    activity: {
      snapshot: bind("Activity.Snapshot"),
      dismiss: bind("Activity.Dismiss"),
      dismissAll: bind("Activity.DismissAll"),
      end: bind("Activity.End"),
    },
    settings: { load: bind("Settings.Load"), set: bind("Settings.Set") },
  };
}
