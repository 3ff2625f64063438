// What all terminals of the page share: the scheduler, the WebGL contexts, the
// theme, and the way from a block to its pane.

import { WebglAddon } from "@xterm/addon-webgl";
import type { ITheme } from "@xterm/xterm";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { Emitter } from "../../lib/emitter";
import { soon } from "../../lib/soon";
import type { TerminalHandle } from "./handle";
import { loadImages, type MakeImages } from "./images";
import { probeWebgl, type RendererSetting, WebglPool, wantsWebgl } from "./renderer";
import type { Place } from "./reveal";
import { type FrameSource, WriteScheduler } from "./scheduler";
import { ScreenTurns } from "./screen-turns";
import type { TerminalServices } from "./services";
import { readTheme } from "./theme";

/** So long the pane of a block may take to come (milliseconds). */
const PANE_MS = 4000;

/** One for the page, made by the app beside its services. */
export class TerminalHost implements Disposable {
  readonly services: TerminalServices;
  readonly scheduler: WriteScheduler;
  readonly screenTurns: ScreenTurns;
  readonly webgl = new WebglPool(() => new WebglAddon());
  /** The page's colours changed. */
  readonly onTheme = new Emitter<ITheme>();
  private readonly handles = new Map<string, TerminalHandle>();
  private readonly own = new DisposableStore();
  private focusedBlock: string | undefined;
  private imageMaker: Promise<MakeImages | undefined> | undefined;
  private probed: { took: number | undefined } | undefined;

  constructor(services: TerminalServices) {
    this.services = services;
    const frames: FrameSource = {
      now: () => performance.now(),
      requestFrame: (run) => requestAnimationFrame(run),
      cancelFrame: (id) => cancelAnimationFrame(id),
    };
    this.scheduler = this.own.add(new WriteScheduler(frames, (late) => services.stream.setLate(late)));
    this.screenTurns = this.own.add(new ScreenTurns(frames, () => this.focusedBlock));
    this.own.add(this.onTheme);
    this.watchTheme();
  }

  theme(): ITheme {
    return readTheme(document.body);
  }

  /** The pane that has or last had the focus; undefined when it is gone. */
  get focused(): TerminalHandle | undefined {
    return this.focusedBlock === undefined ? undefined : this.handles.get(this.focusedBlock);
  }

  /** The pane of a block, if it is on the page. */
  handle(block: string): TerminalHandle | undefined {
    return this.handles.get(block);
  }

  /** Goes to a place in a block's log, once its pane is there; false if the place is not shown any more. */
  async reveal(block: string, place: Place): Promise<boolean> {
    const handle = await soon(() => this.handles.get(block), PANE_MS);
    return handle?.reveal(place) ?? false;
  }

  /** Whether cells are drawn by WebGL. On Linux only if it proves fast, see renderer.ts. */
  wantsWebgl(setting: RendererSetting): boolean {
    return wantsWebgl(setting, () => {
      this.probed ??= { took: probeWebgl() };
      return this.probed.took;
    });
  }

  /** What draws pictures, fetched at the first use; undefined without. */
  images(): Promise<MakeImages | undefined> {
    this.imageMaker ??= loadImages();
    return this.imageMaker;
  }

  dispose(): void {
    this.own.dispose();
    this.handles.clear();
  }

  /** For a pane: it is there until disposed. */
  join(block: string, handle: TerminalHandle): Disposable {
    this.handles.set(block, handle);
    return {
      dispose: () => {
        if (this.handles.get(block) === handle) this.handles.delete(block);
      },
    };
  }

  /** For a pane: the person looks at it. */
  focus(block: string): void {
    this.focusedBlock = block;
  }

  // The theme is a class on the root; "system" follows a media query.
  private watchTheme(): void {
    const changed = () => {
      const theme = this.theme();
      this.onTheme.fire(theme);
      this.services.setColours(theme);
    };
    this.services.setColours(this.theme());
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["class", "data-theme", "style"],
    });
    this.own.defer(() => observer.disconnect());
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", changed);
    this.own.defer(() => media.removeEventListener("change", changed));
  }
}
