import { beforeEach, describe, expect, it } from "vitest";
import { type Command, CommandRegistry } from "./commands";

const press = (
  key: string,
  mods: Partial<Record<"ctrlKey" | "shiftKey" | "altKey" | "metaKey", boolean>>,
) => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...mods,
});

let registry: CommandRegistry;
let ran: string[];
const command = (id: string, part: Partial<Command> = {}): Command => ({
  id,
  title: id,
  group: "Test",
  run: () => void ran.push(id),
  ...part,
});

beforeEach(() => {
  registry = new CommandRegistry(false);
  ran = [];
});

describe("command registry", () => {
  it("never takes a shell's chord from a terminal, and does so elsewhere", () => {
    registry.register(command("palette", { keys: ["Mod+Shift+K", "Mod+K"] }));
    expect(registry.resolve(press("k", { ctrlKey: true }), true)).toBeUndefined();
    expect(registry.resolve(press("k", { ctrlKey: true }), false)?.id).toBe("palette");
    expect(registry.resolve(press("K", { ctrlKey: true, shiftKey: true }), true)?.id).toBe("palette");
  });

  it("shows the chord that works everywhere", () => {
    registry.register(command("a", { keys: ["Mod+K", "Mod+Shift+K"] }));
    expect(registry.shownChord("a")).toMatchObject({ shift: true, key: "K" });
  });

  it("names every conflict, those made by a person's own keys too", () => {
    registry.register(command("a", { keys: ["Mod+Shift+A"] }));
    registry.register(command("b", { keys: ["Mod+Shift+B"] }));
    expect(registry.conflicts()).toEqual([]);
    registry.setOverrides({ b: "Ctrl+Shift+A" });
    expect(registry.conflicts()).toEqual([{ chord: "Ctrl+Shift+A", commands: ["a", "b"] }]);
    registry.setOverrides({ a: "", b: "Ctrl+Shift+A" });
    expect(registry.conflicts()).toEqual([]);
    expect(registry.chords("a")).toEqual([]);
    expect(registry.resolve(press("A", { ctrlKey: true, shiftKey: true }), true)?.id).toBe("b");
  });

  it("says which own keys are none, and keeps the default for them", () => {
    registry.register(command("a", { keys: ["Mod+Shift+A"] }));
    registry.register(command("b", { keys: ["Mod+Shift+B"] }));
    registry.setOverrides({ a: "Ctrl+Shft+A", b: "", gone: "F9" });
    expect(registry.problems()).toMatchObject([
      { id: "a", text: expect.stringContaining("Ctrl+Shft+A") },
      { id: "gone", text: "there is no such command" },
    ]);
    expect(registry.shownChord("a")).toMatchObject({ shift: true, key: "A" });
    expect(registry.chords("b")).toEqual([]);
  });

  it("lets the keys of a command through that may not run now", () => {
    let may = false;
    registry.register(command("a", { keys: ["Mod+Shift+A"], when: () => may }));
    const event = press("A", { ctrlKey: true, shiftKey: true });
    expect(registry.resolve(event, false)).toBeUndefined();
    registry.run("a");
    expect(ran).toEqual([]);
    may = true;
    expect(registry.resolve(event, false)?.id).toBe("a");
    registry.run("a");
    expect(ran).toEqual(["a"]);
  });

  it("reports what a command throws, at once or later", async () => {
    const failures: string[] = [];
    registry.onFailure.on(({ command: c, error }) => failures.push(`${c.id}: ${error}`));
    registry.register(
      command("now", {
        run: () => {
          throw "no";
        },
      }),
    );
    registry.register(command("later", { run: () => Promise.reject("not now") }));
    registry.run("now");
    registry.run("later");
    await Promise.resolve();
    await Promise.resolve();
    expect(failures).toEqual(["now: no", "later: not now"]);
  });

  it("refuses an id twice, and frees it on disposal", () => {
    const first = registry.register(command("a"));
    expect(() => registry.register(command("a"))).toThrow("twice");
    first.dispose();
    registry.register(command("a"));
    expect(registry.all()).toHaveLength(1);
  });

  it("while the panes are covered runs nothing on them, and shows them before it changes them", () => {
    let covered = true;
    const cover = {
      covered: () => covered,
      leave: () => {
        covered = false;
      },
    };
    registry = new CommandRegistry(false, cover);
    registry.register(command("copy", { panes: "acts", keys: ["Mod+Shift+C"] }));
    registry.register(
      command("open", {
        panes: "shows",
        keys: ["Mod+Shift+T"],
        run: () => void ran.push(`covered: ${covered}`),
      }),
    );
    registry.register(command("close", { panes: "closes", keys: ["Mod+Shift+W"], when: () => !covered }));
    registry.register(command("palette"));
    expect(registry.offered().map((c) => c.id)).toEqual(["open", "palette"]);

    const shift = { ctrlKey: true, shiftKey: true };
    expect(registry.resolve(press("C", shift), false)).toBeUndefined();
    registry.run("copy");
    registry.run("palette");
    expect([covered, ran]).toEqual([true, ["palette"]]);

    expect(registry.resolve(press("W", shift), false)?.id).toBe("close");
    registry.run("close");
    expect([covered, ran]).toEqual([false, ["palette"]]);
    registry.run("close");
    expect(ran).toEqual(["palette", "close"]);

    covered = true;
    registry.run("open");
    expect(ran).toEqual(["palette", "close", "covered: false"]);
  });
});
