import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFrame, encodeFrame, type Frame, FrameError } from "./stream-frames";

const bytes = (...values: number[]) => new Uint8Array(values);

// Every frame once; the record makes the compiler ask for a new one's sample.
const samples: Record<Frame["type"], Frame> = {
  attach: {
    type: "attach",
    channel: 7,
    from: "oldest",
    cols: 80,
    rows: 24,
    visible: true,
    screens: true,
    client: 0xfedc_ba98_7654_3210n,
    block: "blöck",
  },
  detach: { type: "detach", channel: 0xffff_ffff },
  input: { type: "input", channel: 1, seq: 2 ** 40, data: bytes(1, 2, 255) },
  ack: { type: "ack", channel: 1, offset: Number.MAX_SAFE_INTEGER },
  resize: { type: "resize", channel: 1, cols: 1, rows: 65535, xpixel: 2, ypixel: 3 },
  visible: { type: "visible", channel: 1, visible: false },
  load: { type: "load", channel: 0, late: true },
  opened: { type: "opened", channel: 1, first: 5, next: 2 ** 33, cols: 100, rows: 30 },
  data: { type: "data", channel: 1, offset: 12, data: bytes(0x1b, 0x5b) },
  size: { type: "size", channel: 1, offset: 12, cols: 3, rows: 4, owner: true },
  lost: { type: "lost", channel: 1, from: 4, to: 4, unsure: true },
  taken: { type: "taken", channel: 1, seq: 0 },
  refused: { type: "refused", channel: 1, seq: 9, reason: "it is closing" },
  error: { type: "error", channel: 1, text: "" },
  redraw: { type: "redraw", channel: 3 },
  screen: {
    type: "screen",
    channel: 1,
    offset: 2 ** 41,
    cols: 120,
    rows: 40,
    owner: true,
    whole: false,
    data: bytes(0x1b, 0x63),
  },
};

describe("frames", () => {
  it.each(Object.values(samples))("$type survives encoding and decoding", (frame) => {
    expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
  });

  it("lays out an attach as the contract says", () => {
    const frame = encodeFrame({
      type: "attach",
      channel: 0x01020304,
      from: 0x0506,
      cols: 80,
      rows: 24,
      visible: true,
      screens: true,
      client: 9n,
      block: "ab",
    });
    expect([...frame]).toEqual([
      1, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 5, 6, 0, 80, 0, 24, 3, 0, 0, 0, 0, 0, 0, 0, 9, 97, 98,
    ]);
  });

  it("reads bytes that start inside a larger buffer", () => {
    const inner = encodeFrame(samples.data);
    const outer = new Uint8Array(inner.length + 6);
    outer.set(inner, 6);
    expect(decodeFrame(outer.subarray(6))).toEqual(samples.data);
  });

  it("skips a type that it does not know", () => {
    expect(decodeFrame(bytes(200, 0, 0, 0, 1, 9, 9))).toBeUndefined();
  });

  const hasTail = new Set(["attach", "input", "data", "refused", "error", "screen"]);
  it.each(Object.values(samples))("$type cut short or too long is an error", (frame) => {
    const whole = encodeFrame(frame);
    const fixed = { attach: 21, input: 8, data: 8, refused: 8, error: 0, screen: 14 } as Record<
      string,
      number
    >;
    const least = 5 + (fixed[frame.type] ?? whole.length - 5);
    for (let size = 0; size < least; size++) {
      expect(() => decodeFrame(whole.subarray(0, size))).toThrow(FrameError);
    }
    if (hasTail.has(frame.type)) return;
    const long = new Uint8Array(whole.length + 1);
    long.set(whole);
    expect(() => decodeFrame(long)).toThrow(FrameError);
  });

  it.each([
    ["an offset over 2^53", bytes(66, 0, 0, 0, 1, 255, 0, 0, 0, 0, 0, 0, 0)],
    ["text that is not UTF-8", bytes(71, 0, 0, 0, 1, 0xff)],
    [
      "lost that ends before it starts",
      bytes(68, 0, 0, 0, 1, ...Array(7).fill(0), 2, ...Array(7).fill(0), 1, 0),
    ],
    ["load of a channel", bytes(7, 0, 0, 0, 1, 1)],
    ["data over 64 KiB", new Uint8Array(5 + 8 + 64 * 1024 + 1).fill(0).map((_, i) => (i === 0 ? 66 : 0))],
  ])("%s is an error", (_, hostile) => {
    expect(() => decodeFrame(hostile)).toThrow(FrameError);
  });

  it("either reads or refuses whatever comes, and what it reads encodes to the same frame", () => {
    const types = [...Array(8).keys(), 65, 66, 67, 68, 69, 70, 71, 72];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 64 }), (type, rest) => {
        const input = bytes(type, ...rest);
        let frame: Frame | undefined;
        try {
          frame = decodeFrame(input);
        } catch (cause) {
          expect(cause).toBeInstanceOf(FrameError);
          return;
        }
        if (frame) expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
      }),
    );
  });

  it.each<[string, Frame]>([
    ["input over 16 KiB", { type: "input", channel: 1, seq: 0, data: new Uint8Array(16 * 1024 + 1) }],
    ["a negative offset", { type: "ack", channel: 1, offset: -1 }],
    ["a fraction", { type: "ack", channel: 1, offset: 0.5 }],
    ["columns over 65535", { type: "resize", channel: 1, cols: 65536, rows: 1, xpixel: 0, ypixel: 0 }],
  ])("does not encode %s", (_, frame) => {
    expect(() => encodeFrame(frame)).toThrow(FrameError);
  });
});
