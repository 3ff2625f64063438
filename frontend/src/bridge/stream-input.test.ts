import { describe, expect, it } from "vitest";
import { MAX_INPUT_BYTES } from "./stream-frames";
import { INPUT_CREDIT, InputLane, MAX_HELD_BYTES } from "./stream-input";

const text = (value: string) => new TextEncoder().encode(value);

/** A link that keeps what it was given. */
function recorder() {
  const frames: { seq: number; data: Uint8Array }[] = [];
  const link = (seq: number, data: Uint8Array) => {
    frames.push({ seq, data });
  };
  const seqs = () => frames.map(({ seq }) => seq);
  const said = () => frames.map(({ data }) => new TextDecoder().decode(data)).join("");
  return { link, frames, seqs, said };
}

function opened() {
  const lane = new InputLane();
  const wire = recorder();
  lane.open(wire.link);
  lane.push(text("_"));
  lane.taken(0);
  lane.taken(1);
  wire.frames.length = 0;
  return { lane, ...wire };
}

describe("input lane", () => {
  it("starts the count with an empty 0 and lets input follow its answer", () => {
    const lane = new InputLane();
    const { link, frames } = recorder();
    lane.open(link);
    expect(frames).toEqual([]);
    lane.push(text("ls"));
    lane.push(text("\r"));
    expect(frames).toEqual([{ seq: 0, data: new Uint8Array(0) }]);
    lane.taken(0);
    expect(frames.slice(1).map(({ seq }) => seq)).toEqual([1]);
    expect([...(frames[1]?.data ?? [])]).toEqual([...text("ls\r")]);
  });

  it("goes on after a refused 0", () => {
    const lane = new InputLane();
    const { link, frames } = recorder();
    lane.open(link);
    lane.push(text("x"));
    expect(frames).toHaveLength(1);
    expect(lane.refused(0)).toBe(0);
    expect(frames.at(-1)).toEqual({ seq: 1, data: text("x") });
  });

  it("cuts a paste into frames and stays within the credit", () => {
    const { lane, frames } = opened();
    const paste = new Uint8Array(700_000).map((_, i) => i % 251);
    lane.push(paste);
    const sent = () => frames.reduce((sum, { data }) => sum + data.length, 0);
    expect(sent()).toBe(INPUT_CREDIT);
    expect(lane.held).toBe(paste.length);
    for (let taken = 1; sent() < paste.length; taken++) {
      lane.taken(taken + 1);
      expect(sent() - taken * MAX_INPUT_BYTES).toBeLessThanOrEqual(INPUT_CREDIT);
    }
    lane.taken(frames.at(-1)?.seq ?? 0);
    expect(lane.held).toBe(0);
    expect(frames.every(({ data }) => data.length <= MAX_INPUT_BYTES)).toBe(true);
    const all = frames.flatMap(({ data }) => [...data]);
    expect(all.length).toBe(paste.length);
    expect(all.every((byte, i) => byte === paste[i])).toBe(true);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 2));
  });

  it("joins keys that had to wait", () => {
    const lane = new InputLane();
    const { link, frames } = recorder();
    for (const key of ["a", "b", "c"]) lane.push(text(key));
    lane.open(link);
    lane.taken(0);
    expect([...(frames[1]?.data ?? [])]).toEqual([...text("abc")]);
  });

  it("sends what was not taken again, once and under its old number", () => {
    const { lane, link, seqs } = opened();
    for (const key of ["a", "b", "c"]) lane.push(text(key));
    expect(seqs()).toEqual([2, 3, 4]);
    lane.taken(2);
    lane.close(link);
    lane.push(text("d"));
    const next = recorder();
    lane.open(next.link);
    expect(next.seqs()).toEqual([3, 4, 5]);
    expect(next.said()).toBe("bcd");
    lane.taken(5);
    const last = recorder();
    lane.close(next.link);
    lane.open(last.link);
    expect(last.frames).toEqual([]);
  });

  it("asks for 0 again only while nothing followed it", () => {
    const lane = new InputLane();
    const first = recorder();
    lane.open(first.link);
    lane.push(text("x"));
    lane.close(first.link);
    const second = recorder();
    lane.open(second.link);
    expect(second.seqs()).toEqual([0]);
    lane.taken(0);
    lane.close(second.link);
    const third = recorder();
    lane.open(third.link);
    expect(third.seqs()).toEqual([1]);
  });

  it("forgets a refused frame and goes on with the others", () => {
    const { lane, link } = opened();
    lane.push(text("four"));
    lane.push(text("x"));
    expect(lane.refused(2)).toBe(4);
    expect(lane.held).toBe(1);
    lane.close(link);
    const next = recorder();
    lane.open(next.link);
    expect(next.seqs()).toEqual([3]);
  });

  it("discards held input without a gap in the count", () => {
    const { lane, link } = opened();
    lane.push(text("rm -rf"));
    lane.close(link);
    lane.push(text(" /"));
    expect(lane.discard()).toBe(8);
    expect(lane.held).toBe(0);
    const next = recorder();
    lane.open(next.link);
    lane.push(text("ls"));
    expect(next.seqs()).toEqual([2, 3]);
    expect(next.said()).toBe("ls");
  });

  it("refuses whole what is more than it may hold", () => {
    const lane = new InputLane();
    expect(lane.push(new Uint8Array(MAX_HELD_BYTES))).toBe(true);
    expect(lane.push(text("x"))).toBe(false);
    expect(lane.held).toBe(MAX_HELD_BYTES);
  });

  it("goes on with the view that is left when the newer one closes", () => {
    const { lane, seqs } = opened();
    const second = recorder();
    lane.open(second.link);
    lane.push(text("a"));
    expect(second.seqs()).toEqual([2]);
    lane.close(second.link);
    lane.push(text("b"));
    expect(seqs()).toEqual([3]);
  });
});
