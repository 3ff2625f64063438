import { describe, expect, it } from "vitest";
import { scenes } from "../../../dev/scenes";
import { FakeBackend, status } from "../../../test/fake";
import { endedRows, runningRows, sparkOf, withSample } from "./model";

function busy() {
  const backend = new FakeBackend();
  scenes["busy"]?.(backend);
  return backend;
}

describe("the running lane", () => {
  it("lists commands and jobs, never a shell that waits for one", () => {
    const rows = runningRows(busy());
    expect(rows.map((r) => r.name).sort()).toEqual(["go", "npm", "rg"]);
  });

  it("adds up a job and what it started, ports included", () => {
    const npm = runningRows(busy()).find((r) => r.name === "npm");
    expect(npm?.cpu).toBe(3);
    expect(npm?.ports).toEqual([5173]);
    expect(npm).toMatchObject({ owner: "lantern", command: "npm run dev", args: "run dev" });
  });

  it("shows that a block is being closed", () => {
    const backend = busy();
    backend.statuses["dev"] = status("dev", { closing: true });
    expect(runningRows(backend).find((r) => r.name === "npm")?.state).toBe("stopping");
  });
});

describe("the ended lane", () => {
  it("keeps not known apart from exited, and offers to end what may still run", () => {
    const rows = Object.fromEntries(endedRows(busy().activity).map((r) => [r.name, r]));
    expect(rows["vitest"]).toMatchObject({ state: "failed", loud: true, canEnd: false });
    expect(rows["nohup serve"]).toMatchObject({ state: "unknown", canEnd: true, owner: "left running" });
    expect(rows["tsc --watch"]?.state).toBe("exited");
    expect(rows["golangci-lint"]?.state).toBe("done");
    expect(rows["log tail"]).toMatchObject({ state: "unknown", canEnd: false });
  });
});

describe("the curve", () => {
  it("remembers what runs and forgets what is gone", () => {
    const rows = runningRows(busy());
    let history = withSample(new Map(), rows);
    for (let i = 0; i < 30; i++) history = withSample(history, rows);
    expect(history.get(rows[0]?.id ?? "")).toHaveLength(12);
    expect(withSample(history, []).size).toBe(0);
  });

  it("needs two samples, and stays in its box", () => {
    expect(sparkOf([1])).toBeUndefined();
    const spark = sparkOf([0, 400, 100]);
    expect(spark?.end.x).toBeCloseTo(53);
    for (const y of (spark?.line ?? "").matchAll(/ ([\d.]+)/g)) {
      expect(Number(y[1])).toBeGreaterThanOrEqual(2);
      expect(Number(y[1])).toBeLessThanOrEqual(14);
    }
  });
});
