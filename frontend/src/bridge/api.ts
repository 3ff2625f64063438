import type * as ActivityCalls from "../../wailsjs/go/api/Activity";
import type * as AppCalls from "../../wailsjs/go/api/App";
import type * as ControllerCalls from "../../wailsjs/go/api/Controllers";
import type * as HistoryCalls from "../../wailsjs/go/api/History";
import type * as SettingsCalls from "../../wailsjs/go/api/Settings";
import type * as TerminalCalls from "../../wailsjs/go/api/Terminals";
import type * as WorkspaceCalls from "../../wailsjs/go/api/Workspaces";
import type { Hello, Narrow, Plain, SettingsView } from "./types";

/** Calls one bound method: "Workspaces.Create" with its arguments. Rejects with the backend's own text. */
export type Call = (method: string, ...args: unknown[]) => Promise<unknown>;

type PlainEach<A extends unknown[]> = { [I in keyof A]: Plain<A[I]> };

/** The generated functions of one bound struct, in the page's spelling. */
type Area<Calls> = {
  [K in keyof Calls as Uncapitalize<K & string>]: Calls[K] extends (...args: infer A) => Promise<infer R>
    ? (...args: PlainEach<A>) => Promise<Plain<R>>
    : never;
};

/** Everything that the page may ask of the backend: what is bound there, and nothing else. */
export interface Api {
  app: Narrow<Area<typeof AppCalls>, { hello(): Promise<Hello> }>;
  workspaces: Area<typeof WorkspaceCalls>;
  controllers: Area<typeof ControllerCalls>;
  activity: Area<typeof ActivityCalls>;
  terminals: Area<typeof TerminalCalls>;
  history: Area<typeof HistoryCalls>;
  settings: Narrow<
    Area<typeof SettingsCalls>,
    {
      load(): Promise<SettingsView>;
      /** null takes the setting out of the file: the default holds. */
      set(req: { path: string; value: unknown }): Promise<SettingsView>;
    }
  >;
}

/** Types the bound methods. The cast is the boundary: what arrives is what the backend's structs say. */
export function createApi(call: Call): Api {
  const area = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, method) =>
          typeof method === "string"
            ? (...args: unknown[]) =>
                call(`${name}.${method.charAt(0).toUpperCase()}${method.slice(1)}`, ...args)
            : undefined,
      },
    );
  return {
    app: area("App"),
    workspaces: area("Workspaces"),
    controllers: area("Controllers"),
    activity: area("Activity"),
    terminals: area("Terminals"),
    history: area("History"),
    settings: area("Settings"),
  } as Api;
}
