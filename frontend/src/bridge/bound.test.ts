import { describe, expect, it } from "vitest";
import type { Call } from "./api";
import { afterHello } from "./bound";

describe("the first calls", () => {
  it("wait for hello", async () => {
    const called: string[] = [];
    let start = (_: unknown) => {};
    const backend: Call = (method) => {
      called.push(method);
      if (method !== "App.Hello") return Promise.resolve(method);
      return new Promise((resolve) => {
        start = resolve;
      });
    };
    const call = afterHello(backend);
    const both = Promise.all([call("Settings.Load"), call("Terminals.SetColours", {})]);
    await Promise.resolve();
    expect(called).toEqual(["App.Hello"]);
    start({});
    expect(await both).toEqual(["Settings.Load", "Terminals.SetColours"]);
    expect(await call("Settings.Load")).toBe("Settings.Load");
    expect(called.filter((method) => method === "App.Hello")).toHaveLength(1);
  });

  it("fail with a start that failed, and reach nothing behind it", async () => {
    const called: string[] = [];
    const call = afterHello((method) => {
      called.push(method);
      return Promise.reject(new Error("another Drover is running there"));
    });
    await expect(call("Settings.Load")).rejects.toThrow("another Drover");
    await expect(call("Settings.Load")).rejects.toThrow("another Drover");
    expect(called).toEqual(["App.Hello", "App.Hello"]);
  });
});
