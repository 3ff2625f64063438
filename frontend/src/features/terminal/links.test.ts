import { Terminal } from "@xterm/xterm";
import { describe, expect, it } from "vitest";
import { findLinks, followLink, openable, shownTarget } from "./links";

async function screen(text: string, cols = 80): Promise<Terminal> {
  const terminal = new Terminal({ cols, rows: 24, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(text, done));
  return terminal;
}

describe("found links", () => {
  it("joins an address of 200 characters over wrapped lines, from each of them", async () => {
    const url = `https://example.com/${"a".repeat(180)}`;
    const terminal = await screen(`see ${url} there`);
    for (const y of [1, 2, 3]) {
      expect(findLinks(terminal.buffer.active, y)).toEqual([
        { url, range: { start: { x: 5, y: 1 }, end: { x: 44, y: 3 } } },
      ]);
    }
    expect(findLinks(terminal.buffer.active, 4)).toEqual([]);
  });

  it("does not join lines that the program broke itself", async () => {
    const terminal = await screen("https://example.com/one\r\ntwo");
    expect(findLinks(terminal.buffer.active, 1).map(({ url }) => url)).toEqual(["https://example.com/one"]);
  });

  it("counts wide characters as two cells", async () => {
    const terminal = await screen("日本 http://例え.jp/あ x");
    expect(findLinks(terminal.buffer.active, 1)).toEqual([
      { url: "http://例え.jp/あ", range: { start: { x: 6, y: 1 }, end: { x: 22, y: 1 } } },
    ]);
  });

  it("finds an address whose wide character wrapped early", async () => {
    const terminal = await screen(`http://a.jp/${"x".repeat(7)}日本`, 20);
    expect(findLinks(terminal.buffer.active, 2).map(({ url }) => url)).toEqual(["http://a.jp/xxxxxxx日本"]);
  });

  it.each([
    ["(see https://a.b/c)", ["https://a.b/c"]],
    ["https://a.b/c_(d).", ["https://a.b/c_(d)"]],
    ["<https://a.b/c>, 'http://d.e'", ["https://a.b/c", "http://d.e"]],
    ["mailto:me@a.b file:///etc/hosts", ["mailto:me@a.b", "file:///etc/hosts"]],
    ["javascript:alert(1) data:text/html,x ftp://a.b vscode://x", []],
    ["https:// http://", []],
  ])("%s", async (text, urls) => {
    const terminal = await screen(text);
    expect(findLinks(terminal.buffer.active, 1).map(({ url }) => url)).toEqual(urls);
  });
});

describe("opening", () => {
  it.each([
    ["http://a.b", true],
    ["HTTPS://a.b", true],
    ["mailto:a@b", true],
    ["file:///x", true],
    ["file://localhost/x", true],
    ["file://Lovelace/x", true],
    ["file://elsewhere/x", false],
    ["file://lovelace.elsewhere/x", false],
    ["javascript:alert(1)", false],
    [" javascript:alert(1)", false],
    ["java\nscript:alert(1)", false],
    ["data:text/html,x", false],
    ["vbscript:x", false],
    ["/etc/passwd", false],
    ["", false],
  ])("%s: %s", (url, allowed) => {
    expect(openable(url, "lovelace") !== undefined).toBe(allowed);
  });

  const event = {} as MouseEvent;
  it("wants the modifier, and says when it must not open", () => {
    const did: string[] = [];
    let wants = false;
    const actions = {
      hostname: "",
      open: (url: string) => did.push(`open ${url}`),
      refuse: (url: string) => did.push(`refuse ${url}`),
      hover: () => {},
      wants: () => wants,
    };
    followLink(actions, event, "https://a.b/");
    wants = true;
    followLink(actions, event, "https://a.b/");
    followLink(actions, event, "javascript:alert(1)");
    followLink(actions, event, "file://elsewhere/x");
    expect(did).toEqual(["open https://a.b/", "refuse javascript:alert(1)", "refuse file://elsewhere/x"]);
  });

  it("shows a target without what could fake another", () => {
    expect(shownTarget("https://a.b/\u202egpj.exe\u0007")).toBe("https://a.b/gpj.exe");
    expect(shownTarget("https://\u0430pple.com/")).toBe("https://xn--pple-43d.com/");
    expect(shownTarget(`https://good.com${"x".repeat(300)}@a.b/c`)).toBe("https://…@a.b/c");
    expect(shownTarget("mailto:me@a.b")).toBe("mailto:me@a.b");
    expect(shownTarget(`https://a.b/${"x".repeat(900)}end`)).toMatch(/^https:.* … .*end$/);
  });
});
