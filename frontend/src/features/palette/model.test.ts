import { describe, expect, it } from "vitest";
import { scenes } from "../../../dev/scenes";
import { FakeBackend } from "../../../test/fake";
import { entries, find } from "./model";

const backend = new FakeBackend();
scenes["busy"]?.(backend);
const command = (title: string, words = "") => ({
  id: title,
  title,
  group: "x",
  words,
  detail: () => "of lantern",
  run: () => {},
});
const all = entries([command("Restart the program"), command("Open a terminal", "new tab")], backend);
const titles = (typed: string) => find(all, typed).map((f) => f.title);

describe("the palette", () => {
  it("offers commands, panes and workspaces", () => {
    expect(titles("")).toContain("Restart the program");
    expect(titles("")).toContain("api log");
    expect(titles("")).toContain("website");
  });

  it("narrows by sign", () => {
    expect(titles(">")).toEqual(["Restart the program", "Open a terminal"]);
    expect(titles("@lint")).toEqual(["golangci-lint"]);
  });

  it("finds a command by other words for it, which it does not show", () => {
    expect(find(all, "new tab")).toMatchObject([{ title: "Open a terminal", ranges: [] }]);
  });

  it("does not offer itself", () => {
    const palette = { ...command("Find any command"), id: "palette.open" };
    expect(find(entries([palette], backend), "find any")).toEqual([]);
  });

  it("puts what starts with the query first and finds by what stands beside it", () => {
    expect(titles("lantern").at(0)).toBeDefined();
    expect(titles("lantern")).toContain("Restart the program");
    expect(find(all, "res")[0]).toMatchObject({ title: "Restart the program", ranges: [[0, 3]] });
  });
});
