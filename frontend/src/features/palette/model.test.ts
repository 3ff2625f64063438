import { describe, expect, it } from "vitest";
import { scenes } from "../../../dev/scenes";
import { FakeBackend } from "../../../test/fake";
import { entries, find } from "./model";

const backend = new FakeBackend();
scenes["busy"]?.(backend);
const command = (title: string, when = true) => ({
  id: title,
  title,
  group: "x",
  when: () => when,
  detail: () => "of lantern",
  run: () => {},
});
const all = entries(
  [command("Restart the program"), command("Open a terminal"), command("Undo", false)],
  backend,
);
const titles = (typed: string) => find(all, typed).map((f) => f.title);

describe("the palette", () => {
  it("offers commands that may run, panes and workspaces", () => {
    expect(titles("")).toContain("Restart the program");
    expect(titles("")).not.toContain("Undo");
    expect(titles("")).toContain("api log");
    expect(titles("")).toContain("website");
  });

  it("narrows by sign", () => {
    expect(titles(">")).toEqual(["Restart the program", "Open a terminal"]);
    expect(titles("@lint")).toEqual(["golangci-lint"]);
  });

  it("puts what starts with the query first and finds by what stands beside it", () => {
    expect(titles("lantern").at(0)).toBeDefined();
    expect(titles("lantern")).toContain("Restart the program");
    expect(find(all, "res")[0]).toMatchObject({ title: "Restart the program", ranges: [[0, 3]] });
  });
});
