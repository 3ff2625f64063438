import { describe, expect, it } from "vitest";
import { scenes } from "../../../dev/scenes";
import { exitOf, FakeBackend, status } from "../../../test/fake";
import { needRows } from "./model";

describe("what needs you", () => {
  const known = () => {
    const backend = new FakeBackend();
    scenes["busy"]?.(backend);
    return { model: backend.model, statuses: {} };
  };

  it("is nothing of what runs, has ended by itself or is being closed", () => {
    const statuses = {
      zsh: status("zsh"),
      lint: status("lint", { state: "exited", reason: "self", exit: exitOf(2) }),
      dev: status("dev", { state: "failed", closing: true }),
      gone: status("gone", { state: "failed" }),
    };
    expect(needRows({ ...known(), statuses })).toEqual([]);
  });

  it("lists who waits before what failed, with why and where", () => {
    const at = (minute: number) => new Date(2026, 0, 1, 14, minute).toISOString();
    const statuses = {
      dev: status("dev", { state: "failed", pid: 0, message: "there is no such shell", since: at(1) }),
      hugo: status("hugo", { state: "failed", exit: exitOf(-1, { error: "its log is full" }), since: at(2) }),
      tests: status("tests", { activity: "waiting-for-you", since: at(3) }),
    };
    expect(needRows({ ...known(), statuses })).toMatchObject([
      { block: "tests", kind: "waiting", where: "lantern", since: "14:03" },
      { block: "hugo", kind: "failed", why: "its log is full", where: "website" },
      { block: "dev", kind: "failed", why: "could not start: there is no such shell" },
    ]);
  });
});
