// One attached view of one terminal: the bytes it gets, by their number, and
// what it asks for.

import { type BackendFrame, FROM_OLDEST, type PageFrame } from "./stream-frames";

export type ScreenFrame = Extract<BackendFrame, { type: "screen" }>;

import type { InputLane } from "./stream-input";

/** What a view is told. Everything comes in the order of the stream. */
export interface ChannelHandler {
  /** Bytes start at `next`; `size` is in force there. */
  opened(next: number, cols: number, rows: number): void;
  /** Bytes from `offset` on; they follow the ones before without a gap. */
  data(offset: number, bytes: Uint8Array): void;
  /** From byte `offset` on the terminal has this size. `owner`: this view decides
   * it; undefined when that was not said. */
  size(offset: number, cols: number, rows: number, owner: boolean | undefined): void;
  /** These bytes are gone: the next ones start at `to`. `unsure`: some of them may never have been. */
  lost(from: number, to: number, unsure: boolean): void;
  /** What draws the terminal as it is before byte `offset`, in place of all that came; `shown` acknowledges it. */
  screen(screen: ScreenFrame): void;
  /** Input was refused; `bytes` of it will not arrive. */
  refused(bytes: number, reason: string): void;
  /** The backend closed the channel. `reopen` tries again. */
  failed(text: string): void;
  /** The bytes of input that nobody has taken yet changed. */
  held(bytes: number): void;
}

/** The size of a text area in cells and pixels. */
export interface TextArea {
  readonly cols: number;
  readonly rows: number;
  readonly xpixel: number;
  readonly ypixel: number;
}

/** What a channel needs of the client. */
export interface ChannelLink {
  readonly client: bigint;
  /** Sends if the socket is open, else does nothing: an attach repeats what matters. */
  send(frame: PageFrame): void;
  connected(): boolean;
  newChannel(): number;
  left(channel: StreamChannel): void;
}

/** An ack goes out when this much has been parsed, or all that has come. */
const ACK_STEP = 32 * 1024;
/** Resizes go out at once, then at most one in this many ms, the last one always. */
const RESIZE_PAUSE_MS = 50;

export class StreamChannel {
  readonly block: string;
  private id: number;
  private from: number | typeof FROM_OLDEST;
  // The last screen lacks something, so bytes behind it do not mend what is shown:
  // the next attach needs a whole one.
  private partial = false;
  private received = 0;
  private acked = 0;
  private area: TextArea;
  private sentArea: TextArea | undefined;
  private resizeTimer: ReturnType<typeof setTimeout> | undefined;
  private visible: boolean;
  private state: "detached" | "attaching" | "open" | "failed" | "disposed" = "detached";
  private dropped = false;
  private readonly link: ChannelLink;
  private readonly lane: InputLane;
  private readonly handler: ChannelHandler;
  private readonly sendInput = (seq: number, data: Uint8Array): void =>
    this.link.send({ type: "input", channel: this.id, seq, data });

  constructor(
    link: ChannelLink,
    lane: InputLane,
    handler: ChannelHandler,
    start: { block: string; from: number | typeof FROM_OLDEST; area: TextArea; visible: boolean },
  ) {
    this.link = link;
    this.lane = lane;
    this.handler = handler;
    this.block = start.block;
    this.from = start.from;
    this.area = start.area;
    this.visible = start.visible;
    this.id = link.newChannel();
  }

  get channel(): number {
    return this.id;
  }

  /** Bytes of input that nobody has taken yet. */
  get held(): number {
    return this.lane.held;
  }

  /** Sends input; false when too much is held already and this was refused. */
  send(data: Uint8Array): boolean {
    return this.lane.push(data);
  }

  /** Drops held input; says how many bytes. */
  discardHeld(): number {
    return this.lane.discard();
  }

  /** Every byte below `offset` has been parsed. */
  ack(offset: number): void {
    if (this.state !== "open" || offset <= this.acked) return;
    if (offset < this.received && offset - this.acked < ACK_STEP) return;
    this.acked = offset;
    this.link.send({ type: "ack", channel: this.id, offset });
  }

  /** The screen that came for `offset` has been drawn, or is not needed: the next one may come. */
  shown(offset: number): void {
    if (this.state !== "open") return;
    this.acked = Math.max(this.acked, offset);
    this.link.send({ type: "ack", channel: this.id, offset });
  }

  /** Asks for the screen with its scrollback. */
  redraw(): void {
    if (this.state === "open") this.link.send({ type: "redraw", channel: this.id });
  }

  /** Asks for a size. The last one asked wins; the same one sends nothing. */
  resize(area: TextArea): void {
    this.area = area;
    if (this.resizeTimer !== undefined || this.state === "disposed") return;
    this.sendArea();
  }

  /**
   * A hidden view gets nothing: what still comes is dropped, and `show` goes on
   * from `parsed`, the first byte that the emulator has not seen; undefined if it
   * needs a screen.
   */
  hide(parsed: number | undefined): void {
    if (!this.visible) return;
    this.visible = false;
    if (parsed === undefined) {
      this.partial = true;
      this.dropped = true;
    } else if (typeof this.from === "number") {
      this.dropped = parsed < this.received;
      this.received = parsed;
      this.from = parsed;
    }
    this.link.send({ type: "visible", channel: this.id, visible: false });
  }

  show(): void {
    if (this.visible) return;
    this.visible = true;
    if (this.dropped) {
      this.reopen();
      return;
    }
    this.link.send({ type: "visible", channel: this.id, visible: true });
    this.sendArea();
  }

  /** Attaches anew from the first byte that is missing, under a new number: what
   * is still on its way for the old one means nothing. */
  reopen(): void {
    if (this.state === "disposed" || !this.link.connected()) return;
    this.link.send({ type: "detach", channel: this.id });
    this.attach();
  }

  dispose(): void {
    if (this.state === "disposed") return;
    this.link.send({ type: "detach", channel: this.id });
    this.lane.close(this.sendInput);
    this.state = "disposed";
    clearTimeout(this.resizeTimer);
    this.link.left(this);
  }

  /** For the client: the socket is open. */
  attach(): void {
    if (this.state === "disposed") return;
    this.lane.close(this.sendInput);
    this.dropped = false;
    this.id = this.link.newChannel();
    this.state = "attaching";
    this.sentArea = undefined;
    clearTimeout(this.resizeTimer);
    this.resizeTimer = undefined;
    const { cols, rows } = this.area;
    this.link.send({
      type: "attach",
      channel: this.id,
      from: this.partial ? FROM_OLDEST : this.from,
      cols,
      rows,
      visible: this.visible,
      screens: true,
      client: this.link.client,
      block: this.block,
    });
    this.sendArea();
  }

  /** For the client: the socket is gone. */
  detached(): void {
    this.lane.close(this.sendInput);
    if (this.state !== "disposed") this.state = "detached";
  }

  /** For the client: the lane's `held` changed. */
  heldChanged(): void {
    this.handler.held(this.lane.held);
  }

  /** For the client: a frame for this channel. */
  receive(frame: BackendFrame): void {
    switch (frame.type) {
      case "opened":
        this.onOpened(frame.next, frame.cols, frame.rows);
        return;
      case "data":
        this.onData(frame.offset, frame.data);
        return;
      case "size":
        this.handler.size(frame.offset, frame.cols, frame.rows, frame.owner);
        return;
      case "lost":
        this.onLost(frame.from, frame.to, frame.unsure);
        return;
      case "screen":
        this.onScreen(frame);
        return;
      case "taken":
        this.lane.taken(frame.seq);
        return;
      case "refused": {
        const bytes = this.lane.refused(frame.seq);
        if (frame.seq !== 0) this.handler.refused(bytes, frame.reason);
        return;
      }
      case "error":
        this.lane.close(this.sendInput);
        this.state = "failed";
        this.handler.failed(frame.text);
        return;
    }
  }

  private onOpened(next: number, cols: number, rows: number): void {
    this.state = "open";
    const fresh = this.partial || typeof this.from !== "number";
    this.partial = false;
    // Behind what we have: another log stands in its place. Ahead: a `lost` says
    // so, or onData finds the gap.
    if (fresh || next < this.received) {
      this.received = next;
      this.acked = next;
      this.from = next;
      this.handler.opened(next, cols, rows);
    } else {
      this.handler.size(this.received, cols, rows, undefined);
    }
    this.lane.open(this.sendInput);
  }

  private onData(offset: number, data: Uint8Array): void {
    if (this.state !== "open") return;
    if (!this.visible) {
      this.dropped = true;
      return;
    }
    if (offset > this.received) this.onLost(this.received, offset, false);
    const overlap = this.received - offset;
    if (overlap >= data.length) return;
    const fresh = overlap > 0 ? data.subarray(overlap) : data;
    const at = this.received;
    this.received = at + fresh.length;
    this.from = this.received;
    this.handler.data(at, fresh);
  }

  private onScreen(frame: ScreenFrame): void {
    if (this.state !== "open" || frame.offset < this.received) return;
    if (!this.visible) {
      this.dropped = true;
      return;
    }
    this.received = frame.offset;
    this.from = frame.offset;
    this.partial = !frame.whole;
    this.handler.screen(frame);
  }

  private onLost(from: number, to: number, unsure: boolean): void {
    if (this.state !== "open" || to <= this.received) return;
    if (!this.visible) {
      this.dropped = true;
      return;
    }
    this.handler.lost(Math.max(from, this.received), to, unsure);
    this.received = to;
    this.from = to;
  }

  private sendArea(): void {
    const [now, then] = [this.area, this.sentArea];
    // A hidden view has no size to ask for.
    if (!this.visible || (this.state !== "attaching" && this.state !== "open")) return;
    if (then && now.cols === then.cols && now.rows === then.rows) {
      if (now.xpixel === then.xpixel && now.ypixel === then.ypixel) return;
    }
    this.sentArea = now;
    this.link.send({ type: "resize", channel: this.id, ...now });
    this.resizeTimer = setTimeout(() => {
      this.resizeTimer = undefined;
      this.sendArea();
    }, RESIZE_PAUSE_MS);
  }
}
