// For tests: a WebSocket whose other end is the test.

import type { StreamSocket } from "./stream";
import { type BackendFrame, decodeFrame, encodeFrame, type Frame } from "./stream-frames";

export class FakeSocket implements StreamSocket {
  binaryType = "";
  closed = false;
  readonly frames: Frame[] = [];
  readonly url: string;
  readonly protocols: string[];
  private readonly listeners: [string, (event: { data?: unknown }) => void][] = [];

  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
  }

  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.listeners.push([type, listener]);
  }

  send(data: Uint8Array): void {
    const frame = decodeFrame(data);
    if (frame) this.frames.push(frame);
  }

  close(): void {
    this.closed = true;
  }

  fire(type: string, data?: unknown): void {
    for (const [wanted, listener] of this.listeners) if (wanted === type) listener({ data });
  }

  say(frame: BackendFrame): void {
    this.fire("message", encodeFrame(frame).slice().buffer);
  }

  of<T extends Frame["type"]>(type: T): Extract<Frame, { type: T }>[] {
    return this.frames.filter((frame): frame is Extract<Frame, { type: T }> => frame.type === type);
  }

  /** The channel of the last attach. */
  get channel(): number {
    return this.of("attach").at(-1)?.channel ?? -1;
  }
}
