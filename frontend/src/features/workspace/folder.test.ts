import { describe, expect, it } from "vitest";
import { complete, completions, expandHome, folderName, splitPath, trimPath } from "./folder";

describe("folders", () => {
  it.each([
    ["~/lan", { parent: "~/", prefix: "lan" }],
    ["/", { parent: "/", prefix: "" }],
    ["lan", { parent: "", prefix: "lan" }],
    ["C:\\Us", { parent: "C:\\", prefix: "Us" }],
  ])("%s splits", (typed, parts) => expect(splitPath(typed)).toEqual(parts));

  it("completes without hidden folders until a dot is typed", () => {
    expect(completions([".git", "Lantern", "website"], "")).toEqual(["Lantern", "website"]);
    expect(completions([".git", "Lantern"], "lan")).toEqual(["Lantern"]);
    expect(completions([".git", "Lantern"], ".")).toEqual([".git"]);
    expect(complete("~/lan", "lantern")).toBe("~/lantern/");
    expect(complete("C:\\Us", "Users")).toBe("C:\\Users\\");
  });

  it("knows the home folder and names", () => {
    expect(expandHome("~/x", "/home/ada")).toBe("/home/ada/x");
    expect(expandHome("~other/x", "/home/ada")).toBe("~other/x");
    expect(trimPath("/srv/x/")).toBe("/srv/x");
    expect(trimPath("/")).toBe("/");
    expect(trimPath("C:\\")).toBe("C:\\");
    expect(folderName("/srv/site/")).toBe("site");
    expect(folderName("/")).toBe("/");
  });
});
