// The frames of the data plane: one binary WebSocket carries the bytes, sizes
// and keystrokes of every terminal. This file knows their layout and nothing
// else; it is pure. All integers are big-endian: type u8, channel u32, body.

/** The most bytes one input frame may carry. */
export const MAX_INPUT_BYTES = 16 * 1024;
/** The most bytes one data frame may carry. */
export const MAX_DATA_BYTES = 64 * 1024;
/** The most bytes that draw a screen with its scrollback. */
export const MAX_SCREEN_BYTES = 64 * 1024 * 1024;
/** As `from` of an attach: from the oldest byte that the log still keeps. */
export const FROM_OLDEST = "oldest";

const HEAD = 5;
const OLDEST = 0xffff_ffff_ffff_ffffn;
const MAX_TEXT = 64 * 1024;

/** What the page sends. Offsets and sequence numbers are safe integers. */
export type PageFrame =
  | {
      readonly type: "attach";
      readonly channel: number;
      readonly from: number | typeof FROM_OLDEST;
      readonly cols: number;
      readonly rows: number;
      readonly visible: boolean;
      /** Takes the newest screen in place of many bytes. */
      readonly screens: boolean;
      readonly client: bigint;
      readonly block: string;
    }
  | { readonly type: "detach"; readonly channel: number }
  | { readonly type: "input"; readonly channel: number; readonly seq: number; readonly data: Uint8Array }
  | { readonly type: "ack"; readonly channel: number; readonly offset: number }
  | {
      readonly type: "resize";
      readonly channel: number;
      readonly cols: number;
      readonly rows: number;
      readonly xpixel: number;
      readonly ypixel: number;
    }
  | { readonly type: "visible"; readonly channel: number; readonly visible: boolean }
  | { readonly type: "load"; readonly channel: 0; readonly late: boolean }
  | { readonly type: "redraw"; readonly channel: number };

/** What the backend sends. */
export type BackendFrame =
  | {
      readonly type: "opened";
      readonly channel: number;
      readonly first: number;
      readonly next: number;
      readonly cols: number;
      readonly rows: number;
    }
  | { readonly type: "data"; readonly channel: number; readonly offset: number; readonly data: Uint8Array }
  | {
      readonly type: "size";
      readonly channel: number;
      readonly offset: number;
      readonly cols: number;
      readonly rows: number;
      readonly owner: boolean;
    }
  | {
      readonly type: "lost";
      readonly channel: number;
      readonly from: number;
      readonly to: number;
      /** The count is the most that it can be. */
      readonly unsure: boolean;
    }
  | { readonly type: "taken"; readonly channel: number; readonly seq: number }
  | { readonly type: "refused"; readonly channel: number; readonly seq: number; readonly reason: string }
  | { readonly type: "error"; readonly channel: number; readonly text: string }
  | {
      readonly type: "screen";
      readonly channel: number;
      readonly offset: number;
      readonly cols: number;
      readonly rows: number;
      readonly owner: boolean;
      /** With its scrollback. */
      readonly whole: boolean;
      readonly data: Uint8Array;
    };

export type Frame = PageFrame | BackendFrame;

const CODES: Readonly<Record<Frame["type"], number>> = {
  attach: 1,
  detach: 2,
  input: 3,
  ack: 4,
  resize: 5,
  visible: 6,
  load: 7,
  redraw: 8,
  opened: 65,
  data: 66,
  size: 67,
  lost: 68,
  taken: 69,
  refused: 70,
  error: 71,
  screen: 72,
};
const NAMES = new Map(Object.entries(CODES).map(([name, code]) => [code, name as Frame["type"]]));

/** Whether a frame is one that the backend sends. */
export function isForPage(frame: Frame): frame is BackendFrame {
  return CODES[frame.type] >= CODES.opened;
}

/** A frame that breaks the layout. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

const utf8 = new TextEncoder();
// Fatal, so that a damaged text is an error and not a text with holes.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Lays out a frame. Throws FrameError for a value that has no place in it. */
export function encodeFrame(frame: Frame): Uint8Array<ArrayBuffer> {
  const out = new Writer(frame);
  switch (frame.type) {
    case "attach":
      if (frame.from === FROM_OLDEST) out.big(OLDEST);
      else out.u64(frame.from);
      out.u16(frame.cols).u16(frame.rows);
      out.u8((frame.visible ? 1 : 0) | (frame.screens ? 2 : 0));
      out.big(frame.client).text(frame.block);
      break;
    case "detach":
    case "redraw":
      break;
    case "input":
      if (frame.data.length > MAX_INPUT_BYTES) throw new FrameError("cannot encode input: over 16 KiB");
      out.u64(frame.seq).raw(frame.data);
      break;
    case "ack":
      out.u64(frame.offset);
      break;
    case "resize":
      out.u16(frame.cols).u16(frame.rows).u16(frame.xpixel).u16(frame.ypixel);
      break;
    case "visible":
      out.flag(frame.visible);
      break;
    case "load":
      out.flag(frame.late);
      break;
    case "opened":
      out.u64(frame.first).u64(frame.next).u16(frame.cols).u16(frame.rows);
      break;
    case "data":
      if (frame.data.length > MAX_DATA_BYTES) throw new FrameError("cannot encode data: over 64 KiB");
      out.u64(frame.offset).raw(frame.data);
      break;
    case "size":
      out.u64(frame.offset).u16(frame.cols).u16(frame.rows).flag(frame.owner);
      break;
    case "lost":
      out.u64(frame.from).u64(frame.to).flag(frame.unsure);
      break;
    case "taken":
      out.u64(frame.seq);
      break;
    case "refused":
      out.u64(frame.seq).text(frame.reason);
      break;
    case "error":
      out.text(frame.text);
      break;
    case "screen":
      if (frame.data.length > MAX_SCREEN_BYTES) throw new FrameError("cannot encode screen: over 64 MiB");
      out
        .u64(frame.offset)
        .u16(frame.cols)
        .u16(frame.rows)
        .flag(frame.owner)
        .flag(frame.whole)
        .raw(frame.data);
      break;
  }
  return out.done();
}

/**
 * Reads a frame. An unknown type gives undefined, so that a newer backend may
 * say more than this page knows; everything else that breaks the layout throws
 * FrameError. `data` is a view of the bytes given, not a copy.
 */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < HEAD) throw new FrameError("cannot read frame: shorter than its head");
  const name = NAMES.get(bytes[0] ?? 0);
  if (name === undefined) return undefined;
  const body = new Reader(bytes, name);
  const frame = readBody(name, body);
  body.end();
  return frame;
}

function readBody(type: Frame["type"], body: Reader): Frame {
  const { channel } = body;
  switch (type) {
    case "attach": {
      const at = body.big();
      const from = at === OLDEST ? FROM_OLDEST : body.safe(at);
      const [cols, rows, flags, client] = [body.u16(), body.u16(), body.u8(), body.big()];
      const [visible, screens] = [(flags & 1) !== 0, (flags & 2) !== 0];
      return { type, channel, from, cols, rows, visible, screens, client, block: body.text() };
    }
    case "detach":
    case "redraw":
      return { type, channel };
    case "input":
      return { type, channel, seq: body.u64(), data: body.rest(MAX_INPUT_BYTES) };
    case "ack":
      return { type, channel, offset: body.u64() };
    case "resize":
      return { type, channel, cols: body.u16(), rows: body.u16(), xpixel: body.u16(), ypixel: body.u16() };
    case "visible":
      return { type, channel, visible: body.flag() };
    case "load":
      if (channel !== 0) throw new FrameError("cannot read load: it belongs to channel 0");
      return { type, channel, late: body.flag() };
    case "opened":
      return { type, channel, first: body.u64(), next: body.u64(), cols: body.u16(), rows: body.u16() };
    case "data":
      return { type, channel, offset: body.u64(), data: body.rest(MAX_DATA_BYTES) };
    case "size":
      return { type, channel, offset: body.u64(), cols: body.u16(), rows: body.u16(), owner: body.flag() };
    case "lost": {
      const [from, to, unsure] = [body.u64(), body.u64(), body.flag()];
      if (to < from) throw new FrameError("cannot read lost: it ends before it starts");
      return { type, channel, from, to, unsure };
    }
    case "taken":
      return { type, channel, seq: body.u64() };
    case "refused":
      return { type, channel, seq: body.u64(), reason: body.text() };
    case "error":
      return { type, channel, text: body.text() };
    case "screen": {
      const [offset, cols, rows] = [body.u64(), body.u16(), body.u16()];
      const [owner, whole] = [body.flag(), body.flag()];
      return { type, channel, offset, cols, rows, owner, whole, data: body.rest(MAX_SCREEN_BYTES) };
    }
  }
}

class Writer {
  private bytes: Uint8Array<ArrayBuffer>;
  private view: DataView;
  private at = HEAD;

  constructor(frame: Frame) {
    this.bytes = new Uint8Array(64);
    this.view = new DataView(this.bytes.buffer);
    this.view.setUint8(0, CODES[frame.type]);
    this.view.setUint32(1, within(frame.channel, 0xffff_ffff, "channel"));
  }

  u16(value: number): this {
    this.view.setUint16(this.room(2), within(value, 0xffff, "16-bit number"));
    return this;
  }

  u64(value: number): this {
    return this.big(BigInt(within(value, Number.MAX_SAFE_INTEGER, "offset")));
  }

  big(value: bigint): this {
    if (value < 0n || value > OLDEST) throw new FrameError("cannot encode frame: number out of range");
    this.view.setBigUint64(this.room(8), value);
    return this;
  }

  u8(value: number): this {
    this.view.setUint8(this.room(1), within(value, 0xff, "byte"));
    return this;
  }

  flag(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  text(value: string): this {
    return this.raw(utf8.encode(value));
  }

  raw(value: Uint8Array): this {
    const at = this.room(value.length);
    this.bytes.set(value, at);
    return this;
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.at);
  }

  private room(size: number): number {
    const at = this.at;
    this.at += size;
    if (this.at > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.at, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, at));
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    return at;
  }
}

class Reader {
  readonly channel: number;
  private readonly view: DataView;
  private at = HEAD;
  private readonly bytes: Uint8Array;
  private readonly what: string;

  constructor(bytes: Uint8Array, what: string) {
    this.bytes = bytes;
    this.what = what;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.channel = this.view.getUint32(1);
  }

  u16(): number {
    return this.view.getUint16(this.take(2));
  }

  u64(): number {
    return this.safe(this.big());
  }

  big(): bigint {
    return this.view.getBigUint64(this.take(8));
  }

  safe(value: bigint): number {
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.fault("a number is too large");
    return Number(value);
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  flag(): boolean {
    return (this.u8() & 1) === 1;
  }

  rest(limit: number): Uint8Array {
    const size = this.bytes.length - this.at;
    if (size > limit) throw this.fault(`over ${limit} bytes`);
    const at = this.take(size);
    return this.bytes.subarray(at, at + size);
  }

  text(): string {
    try {
      return strict.decode(this.rest(MAX_TEXT));
    } catch (cause) {
      if (cause instanceof FrameError) throw cause;
      throw this.fault("its text is not UTF-8");
    }
  }

  end(): void {
    if (this.at !== this.bytes.length) throw this.fault("bytes after its end");
  }

  private take(size: number): number {
    const at = this.at;
    if (at + size > this.bytes.length) throw this.fault("it is cut short");
    this.at += size;
    return at;
  }

  private fault(why: string): FrameError {
    return new FrameError(`cannot read ${this.what}: ${why}`);
  }
}

function within(value: number, limit: number, what: string): number {
  if (!Number.isInteger(value) || value < 0 || value > limit) {
    throw new FrameError(`cannot encode frame: ${what} ${value} is out of range`);
  }
  return value;
}
