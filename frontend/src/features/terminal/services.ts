// What a terminal needs of the app. The app hands it in once; so this feature
// depends on no other.

import type { ITheme } from "@xterm/xterm";
import type { StreamClient } from "../../bridge/stream";
import type { BlockEvent, Level, Locate, Located, Modes, Settings, Status } from "../../bridge/types";

import type { Disposable } from "../../lib/disposable";

export type TerminalSettings = Settings["terminal"];

/** A value that changes: read it, and hear when it did. */
export interface Source<T> {
  get(): T;
  subscribe(changed: () => void): () => void;
}

export interface TerminalServices {
  readonly platform: "linux" | "darwin" | "windows";
  /** The name of the machine on which programs run; "" if it is not known. */
  readonly hostname: string;
  readonly stream: StreamClient;
  readonly settings: Source<TerminalSettings>;
  /** The status of one block; undefined while it is not known. */
  status(block: string): Source<Status | undefined>;
  /** What happens in a block's terminal, whether its pane is looked at or not. */
  happened(block: string): { on(fn: (event: BlockEvent) => void): Disposable };
  /** What programs are told that ask for colours. */
  setColours(theme: ITheme): void;
  /** The name of a block, for notices and file names. */
  nameOf(block: string): string;
  /** Starts the block in this size if it is not running; `force` restarts it. */
  ensure(block: string, size: { cols: number; rows: number; force: boolean }): Promise<void>;
  /** Asks to close the block, with all that this needs to ask. */
  close(block: string): void;
  /** Ends what runs in the foreground, as Ctrl+C does. */
  interrupt(block: string): Promise<void>;
  readonly clipboard: { read(): Promise<string>; write(text: string): Promise<void> };
  /** How the block's terminal takes input now. */
  modes(block: string): Promise<Modes>;
  /** On which line a byte of the block's log is shown. */
  locate(block: string, place: Omit<Locate, "block">): Promise<Located>;
  /** Opens an address outside; only http, https, mailto and file come here. */
  openLink(url: string): Promise<void>;
  /** Saves a text as a file of that name, which is without its ending, and says where. */
  saveText(name: string, text: string): Promise<void>;
  notify(notice: { level: Level; title: string; text: string; fix?: string }): void;
  /** Whether the app has a command for this key in a terminal: then it is left to the app. */
  isCommandKey(event: KeyboardEvent): boolean;
}
