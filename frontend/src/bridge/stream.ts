// The data plane's client: one WebSocket for all terminals of the page. It is
// opened again whenever it breaks, and every channel then goes on from the byte
// that it misses and with the input that was not taken.

import { type ChannelHandler, type ChannelLink, StreamChannel, type TextArea } from "./stream-channel";
import {
  decodeFrame,
  encodeFrame,
  FROM_OLDEST,
  type Frame,
  isForPage,
  type PageFrame,
} from "./stream-frames";
import { InputLane } from "./stream-input";

export type { ChannelHandler, TextArea } from "./stream-channel";
export { StreamChannel } from "./stream-channel";

/** The part of a WebSocket that is used. */
export interface StreamSocket {
  binaryType: string;
  addEventListener(
    type: "open" | "message" | "close",
    listener: (event: { readonly data?: unknown }) => void,
  ): void;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface StreamEndpoint {
  readonly url: string;
  readonly token: string;
}

export interface StreamOptions {
  /** Asked before each try, since a backend that was started anew has another address. */
  readonly endpoint: () => StreamEndpoint | Promise<StreamEndpoint>;
  /** Opens a socket; `new WebSocket` by default. */
  readonly open?: (url: string, protocols: string[]) => StreamSocket;
  /** Names this page to the backend, for the order of its input; random by default. */
  readonly client?: bigint;
}

/** How the link is. `lost`: it broke, or could not be opened, and is tried again. */
export interface StreamState {
  readonly link: "connecting" | "connected" | "lost";
  /** Tries since the link was lost. */
  readonly tries: number;
}

export const FIRST_RETRY_MS = 100;
export const LAST_RETRY_MS = 2000;

export interface AttachOptions {
  readonly block: string;
  readonly area: TextArea;
  readonly visible: boolean;
  /** The first byte wanted; the oldest that is kept by default. */
  readonly from?: number;
}

/** Close ends it for good; nothing reconnects afterwards. */
export class StreamClient {
  private readonly options: StreamOptions;
  private readonly channels = new Set<StreamChannel>();
  private readonly lanes = new Map<string, InputLane>();
  private readonly listeners = new Set<(state: StreamState) => void>();
  private readonly link: ChannelLink;
  private socket: StreamSocket | undefined;
  private current: StreamState = { link: "connecting", tries: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private delay = FIRST_RETRY_MS;
  private round = 0;
  private lastChannel = 0;
  private late = false;
  private closed = false;

  constructor(options: StreamOptions) {
    this.options = options;
    this.link = {
      client: options.client ?? randomClient(),
      send: (frame) => this.send(frame),
      connected: () => this.current.link === "connected",
      newChannel: () => ++this.lastChannel,
      left: (channel) => this.channels.delete(channel),
    };
    this.dial();
  }

  get state(): StreamState {
    return this.current;
  }

  /** Calls back after each change; the disposable ends it. */
  onState(listener: (state: StreamState) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Attaches a view. It lives over reconnects until it is disposed. */
  attach(options: AttachOptions, handler: ChannelHandler): StreamChannel {
    const { block, area, visible, from = FROM_OLDEST } = options;
    const channel = new StreamChannel(this.link, this.lane(block), handler, { block, area, visible, from });
    this.channels.add(channel);
    if (this.current.link === "connected") channel.attach();
    return channel;
  }

  /** Tells the backend that frames come late, or are fine again. */
  setLate(late: boolean): void {
    if (late === this.late) return;
    this.late = late;
    this.send({ type: "load", channel: 0, late });
  }

  /** Tries now instead of after the pause. */
  retryNow(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.dial();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const channel of [...this.channels]) channel.dispose();
    this.listeners.clear();
    this.drop();
  }

  // The lane outlives its channels: a pane that is moved or shown again goes on
  // with its count, and what nobody took is still sent.
  private lane(block: string): InputLane {
    const known = this.lanes.get(block);
    if (known) return known;
    const lane = new InputLane(() => {
      for (const channel of this.channels) if (channel.block === block) channel.heldChanged();
    });
    this.lanes.set(block, lane);
    return lane;
  }

  private dial(): void {
    const round = ++this.round;
    this.connect(round).catch(() => this.lost(round));
  }

  private async connect(round: number): Promise<void> {
    const { url, token } = await this.options.endpoint();
    if (this.closed || round !== this.round) return;
    const open = this.options.open ?? ((to, protocols) => new WebSocket(to, protocols));
    const socket = open(url, ["drover.1", `token.${token}`]);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => this.opened(round));
    socket.addEventListener("close", () => this.lost(round));
    socket.addEventListener("message", ({ data }) => this.receive(data, round));
  }

  private opened(round: number): void {
    if (this.closed || round !== this.round) return;
    this.become({ link: "connected", tries: 0 });
    if (this.late) this.send({ type: "load", channel: 0, late: true });
    for (const channel of [...this.channels]) channel.attach();
  }

  private receive(data: unknown, round: number): void {
    if (this.closed || round !== this.round || !(data instanceof ArrayBuffer)) return;
    // Only now is it known that there is a backend behind the socket.
    this.delay = FIRST_RETRY_MS;
    let frame: Frame | undefined;
    try {
      frame = decodeFrame(new Uint8Array(data));
    } catch {
      // A stream that cannot be read cannot be trusted to be in step: begin again.
      this.lost(round);
      return;
    }
    if (!frame || !isForPage(frame)) return;
    for (const channel of this.channels) {
      if (channel.channel === frame.channel) {
        channel.receive(frame);
        return;
      }
    }
  }

  private lost(round: number): void {
    if (this.closed || round !== this.round) return;
    this.round++;
    this.drop();
    for (const channel of this.channels) channel.detached();
    this.become({ link: "lost", tries: this.current.link === "lost" ? this.current.tries + 1 : 1 });
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.dial();
    }, this.delay);
    this.delay = Math.min(this.delay * 2, LAST_RETRY_MS);
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  private send(frame: PageFrame): void {
    if (this.current.link === "connected") this.socket?.send(encodeFrame(frame));
  }

  private become(state: StreamState): void {
    this.current = state;
    for (const listener of [...this.listeners]) listener(state);
  }
}

function randomClient(): bigint {
  const [high = 0, low = 1] = crypto.getRandomValues(new Uint32Array(2));
  // 0 means "no order" to the backend.
  return (BigInt(high) << 32n) | BigInt(low) || 1n;
}
