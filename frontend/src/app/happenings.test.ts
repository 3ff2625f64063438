import { beforeEach, describe, expect, it } from "vitest";
import type { Mirror } from "../bridge/mirror";
import type { BlockEvent } from "../bridge/types";
import type { WorkspaceSession } from "../features/workspace";
import { Emitter } from "../lib/emitter";
import type { Toast, Toasts } from "../ui/toasts";
import { watchHappenings } from "./happenings";

let seen: string[];
let shown: { title: string; text?: string; level?: string }[];
let outside: string[];
const events = new Emitter<BlockEvent>();
const mirror = {
  onBlockEvent: events,
  known: { model: { blocks: { a: {} } } },
} as unknown as Mirror;

beforeEach(() => {
  seen = [];
  shown = [];
  outside = [];
});
const watch = () =>
  watchHappenings(
    mirror,
    { show: (toast: Toast) => void shown.push(toast) } as unknown as Toasts,
    { nameOf: () => "zsh", focusBlock: () => {} } as unknown as WorkspaceSession,
    { sees: (block) => seen.includes(block), outside: (title) => void outside.push(title) },
  );
const tell = (event: Partial<BlockEvent>) =>
  events.fire({ seq: 1, block: "a", event: "command", title: "", text: "", exit: 0, took: 0, ...event });

describe("what happens in a terminal", () => {
  it.each([
    [{ text: "make test\nmore", took: 12_000 }, "make test has finished", "info"],
    [{ text: "make test", took: 12_000, exit: 2 }, "make test failed with 2", "warn"],
    [{ text: "", took: 12_000, exit: -1 }, "A command has finished", "info"],
    [{ event: "notification" as const, title: "Done", text: "all of it" }, "Done", "info"],
    [{ event: "notification" as const, text: "all of it" }, "zsh", "info"],
  ])("is told: %j", (event, title, level) => {
    const watching = watch();
    tell(event);
    expect(shown).toEqual([expect.objectContaining({ title, level })]);
    expect(outside).toEqual([title]);
    watching.dispose();
  });

  it("is not told when it is seen, short, or of a terminal that is gone", () => {
    const watching = watch();
    tell({ text: "ls", took: 9999 });
    tell({ event: "bell" });
    tell({ block: "gone", took: 99_000 });
    seen = ["a"];
    tell({ took: 99_000 });
    tell({ event: "notification", text: "x" });
    expect(shown).toEqual([]);
    watching.dispose();
  });
});
