// The keystrokes and pastes of one block on their way to its PTY.

import { MAX_INPUT_BYTES } from "./stream-frames";

/** The most bytes that may be sent and not yet taken. */
export const INPUT_CREDIT = 256 * 1024;
/** The most bytes that are held in all; more is refused, never dropped. */
export const MAX_HELD_BYTES = 16 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

type Send = (seq: number, data: Uint8Array) => void;

interface Sent {
  readonly seq: number;
  data: Uint8Array;
}

/**
 * Cuts input into numbered frames, stays within the credit, and keeps what the
 * PTY has not taken, so that a new link can send it again under its old number.
 *
 * Number 0 starts the count anew at the backend, so it must never be repeated
 * once input has followed it: it goes alone and empty before the first input,
 * which gets number 1 and waits until 0 has been answered. It does not go
 * earlier, because who sends input takes the size of the terminal over.
 */
export class InputLane {
  private count: "fresh" | "asked" | "set" = "fresh";
  private nextSeq = 1;
  private readonly sent: Sent[] = [];
  private readonly waiting: Uint8Array[] = [];
  private sentBytes = 0;
  private waitingBytes = 0;
  private readonly links: Send[] = [];
  private readonly changed: () => void;

  /** `changed` is called after `held` has changed. */
  constructor(changed: () => void = () => {}) {
    this.changed = changed;
  }

  /** Bytes that nobody is known to have taken. */
  get held(): number {
    return this.sentBytes + this.waitingBytes;
  }

  /** Accepts input, or refuses it whole (false) when too much is held already. */
  push(data: Uint8Array): boolean {
    if (data.length === 0) return true;
    if (this.held + data.length > MAX_HELD_BYTES) return false;
    this.waiting.push(data);
    this.waitingBytes += data.length;
    this.pump();
    this.changed();
    return true;
  }

  /** A link is there: what is untaken goes out again, then what waits. */
  open(link: Send): void {
    this.links.push(link);
    if (this.count === "asked") this.count = "fresh"; // nobody will answer on the old link
    for (const { seq, data } of this.sent) link(seq, data);
    this.pump();
  }

  /** The link is gone; what was sent on it stays untaken. */
  close(link: Send): void {
    const at = this.links.lastIndexOf(link);
    if (at >= 0) this.links.splice(at, 1);
  }

  taken(seq: number): void {
    this.count = "set";
    while (this.sent[0] && this.sent[0].seq <= seq) this.forget(0);
    this.pump();
    this.changed();
  }

  /** One frame was refused. Says how many bytes of input that was. */
  refused(seq: number): number {
    this.count = "set";
    const at = this.sent.findIndex((frame) => frame.seq === seq);
    const bytes = at < 0 ? 0 : this.forget(at);
    this.pump();
    this.changed();
    return bytes;
  }

  /**
   * Drops what is held and says how many bytes that was. Frames that were sent
   * keep their number and lose their bytes: the count has no gap, and one that
   * did arrive is known as a duplicate.
   */
  discard(): number {
    const bytes = this.held;
    for (const frame of this.sent) frame.data = NOTHING;
    this.waiting.length = 0;
    this.sentBytes = 0;
    this.waitingBytes = 0;
    this.changed();
    return bytes;
  }

  private forget(at: number): number {
    const [frame] = this.sent.splice(at, 1);
    const bytes = frame?.data.length ?? 0;
    this.sentBytes -= bytes;
    return bytes;
  }

  private pump(): void {
    const link = this.links.at(-1);
    if (!link || this.waitingBytes === 0) return;
    if (this.count === "fresh") {
      this.count = "asked";
      link(0, NOTHING);
    }
    if (this.count === "asked") return;
    while (this.waitingBytes > 0) {
      const room = Math.min(MAX_INPUT_BYTES, INPUT_CREDIT - this.sentBytes, this.waitingBytes);
      // A smaller frame would only cost a round trip: wait for a whole one.
      if (room < Math.min(MAX_INPUT_BYTES, this.waitingBytes)) return;
      const data = this.cut(room);
      const seq = this.nextSeq++;
      this.sent.push({ seq, data });
      this.sentBytes += data.length;
      link(seq, data);
    }
  }

  private cut(size: number): Uint8Array {
    const first = this.waiting[0];
    this.waitingBytes -= size;
    if (first && first.length === size) {
      this.waiting.shift();
      return first;
    }
    const out = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const chunk = this.waiting[0];
      if (!chunk) break;
      const part = chunk.subarray(0, size - at);
      out.set(part, at);
      at += part.length;
      if (part.length === chunk.length) this.waiting.shift();
      else this.waiting[0] = chunk.subarray(part.length);
    }
    return out;
  }
}
