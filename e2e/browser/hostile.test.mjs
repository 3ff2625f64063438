// What programs and files may try: links that are not what they seem, titles,
// the clipboard, damaged recordings.

import assert from "node:assert/strict";
import { hostname } from "node:os";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

/** Notes what would be opened outside, in place of opening it. */
const watchLinks = (app) =>
  app.page.evaluate(() => {
    window.opened = [];
    const { api } = window.go;
    const over = (object, name, value) =>
      new Proxy(object, { get: (own, key) => (key === name ? value : own[key]) });
    const open = async (url) => void window.opened.push(url);
    window.go = { api: over(api, "App", over(api.App, "OpenLink", open)) };
    window.open = (url) => void window.opened.push(String(url));
  });
const opened = (app) => app.page.evaluate(() => window.opened);

session("a link opens only where it may, and says before where it goes", async (app, world) => {
  const term = await app.newTerminal();
  await watchLinks(app);
  const links = [
    ["javascript:window.opened.push('run')", false],
    ["JaVaScRiPt:alert(1)", false],
    ["data:text/html,<script>alert(1)</script>", false],
    ["file://elsewhere.invalid/share/run.exe", false],
    ["vscode://file/etc/passwd", false],
    ["https://hidden.invalid/target", true],
    [`file://${hostname()}/etc/hostname`, true],
    ["mailto:ada@example.invalid", true],
  ];
  const text = links.map(([url]) => `\x1b]8;;${url}\x1b\\https://seems.invalid/\x1b]8;;\x1b\\\n`).join("");
  world.write("links", text);
  await term.run("clear; cat links");
  await term.shows(/^(https:\/\/seems\.invalid\/\n){8}\$ /m);
  const rows = term.element.locator(".xterm-rows > div");
  const target = term.element.locator(".term-target");
  for (const [at, [url, opens]] of links.entries()) {
    const row = await rows.nth(at).boundingBox();
    const [x, y] = [row.x + 40, row.y + row.height / 2];
    await app.page.mouse.move(x, y);
    await app.page.mouse.move(x + 4, y);
    await until(`${url} is shown`, async () => (await target.innerText()).includes(url));
    assert.equal((await target.innerText()).includes("is not opened"), !opens, url);
    // Without the key a click is the program's, or nothing.
    await app.page.mouse.click(x + 4, y);
    assert.deepEqual(await opened(app), [], url);
    await app.page.keyboard.down("Control");
    await app.page.mouse.click(x + 4, y);
    await app.page.keyboard.up("Control");
    if (opens) {
      await until(`${url} is opened`, async () => (await opened(app)).length === 1);
      assert.deepEqual(await opened(app), [url]);
      await app.page.evaluate(() => window.opened.splice(0));
    } else {
      await app.says("This link is not opened");
      assert.deepEqual(await opened(app), [], url);
      await app.page.getByRole("button", { name: "Dismiss" }).first().click();
    }
    await app.page.mouse.move(5, 5);
    await target.waitFor({ state: "hidden" });
  }
});
