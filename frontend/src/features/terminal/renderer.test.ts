import { Terminal } from "@xterm/xterm";
import { describe, expect, it, vi } from "vitest";
import { FAST_PROBE_MS, MAX_CONTEXTS, type WebglLike, WebglPool, wantsWebgl } from "./renderer";

class FakeAddon implements WebglLike {
  disposed = 0;
  lose: () => void = () => {};
  activate(): void {}
  dispose(): void {
    this.disposed++;
  }
  onContextLoss(listener: () => void) {
    this.lose = listener;
    return { dispose: () => {} };
  }
}

function setUp(limit?: number) {
  const addons: FakeAddon[] = [];
  const pool = new WebglPool(() => {
    const addon = new FakeAddon();
    addons.push(addon);
    return addon;
  }, limit);
  return { pool, addons };
}

describe("WebGL contexts", () => {
  it("are lent to eight terminals at most, and again when one is given back", () => {
    const { pool } = setUp();
    const leases = Array.from({ length: 20 }, () => pool.lend(new Terminal()));
    expect(leases.filter(Boolean)).toHaveLength(MAX_CONTEXTS);
    leases[0]?.dispose();
    leases[0]?.dispose();
    expect(pool.used).toBe(MAX_CONTEXTS - 1);
    expect(pool.lend(new Terminal())).toBeDefined();
    expect(pool.lend(new Terminal())).toBeUndefined();
  });

  it("that are lost leave their terminal to the DOM", () => {
    const { pool, addons } = setUp();
    const lost = vi.fn();
    pool.lend(new Terminal(), lost);
    addons[0]?.lose();
    expect(lost).toHaveBeenCalledTimes(1);
    expect(addons[0]?.disposed).toBe(1);
    expect(pool.used).toBe(0);
  });

  it("that cannot be made are none", () => {
    const { pool } = setUp();
    const terminal = new Terminal();
    vi.spyOn(terminal, "loadAddon").mockImplementation(() => {
      throw new Error("WebGL2 not supported");
    });
    expect(pool.lend(terminal)).toBeUndefined();
    expect(pool.used).toBe(0);
  });
});

describe("choice", () => {
  const never = () => {
    throw new Error("asked though it was set");
  };
  it("follows the setting, and a timing where that is open", () => {
    expect(wantsWebgl("dom", never)).toBe(false);
    expect(wantsWebgl("webgl", never)).toBe(true);
    expect(wantsWebgl("auto", () => undefined)).toBe(false);
    expect(wantsWebgl("auto", () => FAST_PROBE_MS + 1)).toBe(false);
    expect(wantsWebgl("auto", () => FAST_PROBE_MS)).toBe(true);
  });
});
