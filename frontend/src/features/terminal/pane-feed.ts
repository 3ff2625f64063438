// The stream's side of a terminal pane: what comes and goes by it, how the
// program is, and the strips that say so.

import type { StoreApi } from "zustand/vanilla";
import type { StreamChannel, TextArea } from "../../bridge/stream";
import type { Status } from "../../bridge/types";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { soon } from "../../lib/soon";
import type { Emulator } from "./emulator";
import type { TerminalHost } from "./host";
import { Intake } from "./intake";
import type { PaneState } from "./pane-state";
import type { WriteQueue } from "./scheduler";
import { StopHint } from "./stop-hint";
import { type StripAction, stripsOf } from "./strips";
import { trouble } from "./trouble";
import { Unread } from "./unread";

const ENTER = 0x0d;
/** So long a pane may take until it shows what there is (milliseconds). */
const STILL_MS = 4000;

/** What the pane lends to its feed. */
export interface FedPane {
  readonly block: string;
  readonly emulator: Emulator;
  readonly store: StoreApi<PaneState>;
  /** The size in force may have changed: looks whether its place fits it. */
  layout(): void;
  focus(): void;
  toNewest(): void;
}

export class PaneFeed implements Disposable {
  readonly queue: WriteQueue;
  private readonly host: TerminalHost;
  private readonly pane: FedPane;
  private readonly intake: Intake;
  private readonly stop = new StopHint(() => this.restrip());
  private readonly own = new DisposableStore();
  private readonly unread = this.own.add(new Unread(this));
  private channel: StreamChannel | undefined;
  private owner = true;
  private fitted = "";
  private failed = "";
  private refused = "";
  private noted = 0;
  private gone = false;
  private asked = false;
  private redrawing = false;
  private lacks = false;
  private fetching = false;
  private acked = 0;

  constructor(host: TerminalHost, pane: FedPane) {
    this.host = host;
    this.pane = pane;
    const { block, emulator } = pane;
    const { services, scheduler } = host;
    this.queue = this.own.add(scheduler.add(emulator));
    this.intake = this.own.add(
      new Intake(
        this.queue,
        emulator,
        (offset) => {
          this.acked = offset;
          this.channel?.ack(offset);
        },
        (offset) => {
          this.acked = offset;
          host.screenTurns.ask(block, () => this.channel?.shown(offset));
        },
      ),
    );
    this.own.add(services.stream.onState(() => this.restrip()));
    this.own.defer(services.status(block).subscribe(() => this.statusChanged()));
    this.statusChanged();
  }

  /** Whether the program is gone: nobody reads. */
  get ended(): boolean {
    return this.gone;
  }

  get attached(): boolean {
    return this.channel !== undefined;
  }

  /** A hidden pane is not sent anything. */
  setVisible(visible: boolean): void {
    if (visible) this.channel?.show();
    else this.channel?.hide(this.intake.drop());
  }

  dispose(): void {
    this.stop.goesOn();
    this.channel?.dispose();
    this.own.dispose();
  }

  act(action: StripAction): void {
    switch (action) {
      case "restart":
        this.restart();
        break;
      case "close":
        this.host.services.close(this.pane.block);
        break;
      case "retry-link":
        this.host.services.stream.retryNow();
        break;
      case "reopen":
        this.failed = "";
        this.channel?.reopen();
        break;
      case "discard":
        this.discardHeld();
        break;
      case "dismiss":
        this.refused = "";
        break;
      case "noted":
        this.noted = this.status()?.instance ?? 0;
        this.pane.focus();
        break;
    }
    this.restrip();
  }

  restart(): void {
    this.ensure(true);
    this.pane.focus();
  }

  discardHeld(): number {
    return this.channel?.discardHeld() ?? 0;
  }

  /** What the person typed; after the end, Enter restarts. */
  input(data: Uint8Array): void {
    const { emulator } = this.pane;
    if (this.gone) {
      if (data.length === 1 && data[0] === ENTER) this.restart();
      return;
    }
    this.host.scheduler.stir();
    this.stop.input(data, emulator.terminal.buffer.active.type === "normal");
    if (this.channel?.send(data) === false) {
      trouble(
        this.host.services,
        "Input was refused",
        "too much of it waits already",
        "Wait, or discard what is held.",
      );
    }
  }

  /** Asks for this size. */
  resize(area: TextArea): void {
    this.channel?.resize(area);
  }

  /** This size would fit: says so if another is in force. */
  sizeChanged(area: TextArea): void {
    const { cols, rows } = this.pane.emulator.terminal;
    const foreign = !this.owner && (cols !== area.cols || rows !== area.rows);
    const foreignSize = foreign ? `${cols} × ${rows}` : undefined;
    if (foreignSize !== this.pane.store.getState().foreignSize) this.pane.store.setState({ foreignSize });
  }

  /** Attaches in this size, once. */
  attach(area: TextArea): void {
    const { block, emulator } = this.pane;
    const { intake } = this;
    emulator.resize(area.cols, area.rows);
    this.channel = this.host.services.stream.attach(
      { block, area, visible: true },
      {
        opened: (next, cols, rows) => {
          this.failed = "";
          this.fitted = "";
          intake.opened(next, cols, rows);
          this.resetModes();
          this.restrip();
        },
        data: (offset, bytes) => {
          intake.data(offset, bytes);
          this.stop.goesOn();
        },
        size: (offset, cols, rows, owner) => {
          intake.size(offset, cols, rows);
          this.fit(owner ?? this.owner);
        },
        lost: (from, to, unsure) => intake.lost(from, to, unsure),
        screen: ({ offset, cols, rows, owner, whole, data }) => {
          this.lacks = !whole;
          if (whole) this.fetching = false;
          intake.draw(offset, cols, rows, data);
          this.fit(owner);
          this.resetModes();
          this.stop.goesOn();
          this.readingChanged();
        },
        refused: (_, reason) => this.refuse(reason),
        failed: (text) => {
          this.failed = text;
          this.restrip();
        },
        held: () => this.host.services.stream.state.link === "lost" && this.restrip(),
      },
    );
    if (!this.asked && (this.status()?.state ?? "idle") === "idle") this.ensure(false);
  }

  /** What came last may have another size, or owner: looks whether its place fits that. Most have not, and looking costs the page a layout. */
  private fit(owner: boolean): void {
    this.owner = owner;
    this.queue.step((done) => {
      const { cols, rows } = this.pane.emulator.terminal;
      const now = `${cols} ${rows} ${owner}`;
      if (now !== this.fitted) {
        this.fitted = now;
        this.pane.layout();
      }
      done();
    });
  }

  /** Nobody takes back the modes that a screen shows. */
  private resetModes(): void {
    if (this.gone) this.queue.step((done) => this.pane.emulator.programEnded(done));
  }

  /** In a flood the scrollback stays away; who wants to read it gets it. */
  fetchScrollback(): void {
    if (!this.lacks) return;
    this.channel?.redraw();
    this.lacks = false;
    this.fetching = true;
  }

  /** The number of the first byte that is not on the emulator's screen. */
  get parsed(): number {
    return this.acked;
  }

  /** Waits until all that has come is drawn, with its scrollback, and the byte too; false if it does not come to rest. */
  async still(offset: number): Promise<boolean> {
    const rest = () => {
      if (this.intake.behind) this.pane.toNewest();
      this.fetchScrollback();
      const busy = this.fetching || this.intake.behind || this.queue.waiting > 0;
      return this.attached && !busy && this.acked > offset ? true : undefined;
    };
    return (await soon(rest, STILL_MS)) ?? false;
  }

  /** The person reads what was; when they are done, the terminal shows what is. */
  readingChanged(): void {
    const { behind } = this.intake;
    const due = behind && !this.pane.emulator.reading;
    if (due && !this.redrawing) this.channel?.redraw();
    this.redrawing = due;
    const { store } = this.pane;
    if (behind !== store.getState().behind) store.setState({ behind });
  }

  /** Input did not get where it should. */
  refuse(why: string): void {
    this.refused = why;
    this.restrip();
  }

  private ensure(force: boolean): void {
    const { cols, rows } = this.pane.emulator.terminal;
    this.asked = true;
    this.host.services
      .ensure(this.pane.block, { cols, rows, force })
      .catch((error) =>
        trouble(this.host.services, force ? "It was not restarted" : "It was not started", error),
      );
  }

  private status(): Status | undefined {
    return this.host.services.status(this.pane.block).get();
  }

  private statusChanged(): void {
    const state = this.status()?.state;
    const ended = state === "exited" || state === "failed";
    if (ended && !this.gone) {
      this.gone = true;
      this.resetModes();
      this.stop.goesOn();
      this.unread.programEnded();
    }
    if (this.gone && !ended) this.unread.programStarted();
    this.gone = ended;
    // Refused while there was no terminal yet: now there is one.
    if (this.failed && (state === "starting" || state === "running")) this.act("reopen");
    this.restrip();
  }

  private restrip(): void {
    const strips = stripsOf({
      status: this.status(),
      link: this.host.services.stream.state,
      failed: this.failed,
      held: this.channel?.held ?? 0,
      stopped: this.stop.stopped,
      refused: this.refused,
      noted: this.noted,
    });
    this.pane.store.setState({ strips });
  }
}
