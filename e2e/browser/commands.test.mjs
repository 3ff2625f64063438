// The commands of shells: their marks in the margin, going from one to the next,
// copying what they printed, running them again, and their history.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

const clipboard = (app) => app.page.evaluate(() => navigator.clipboard.readText());

/** What the marks in the margin say, from the top down. */
async function marks(term) {
  const all = await term.element.locator(".term-margin .term-mark").evaluateAll((list) =>
    list.map((mark) => ({ top: mark.getBoundingClientRect().top, said: mark.title })),
  );
  return all.sort((a, b) => a.top - b.top).map((mark) => mark.said);
}

/** Waits for marks, each of which stands in the row of its prompt. */
async function marked(term, wanted) {
  await until(`marks: ${wanted}`, async () => {
    const now = await marks(term);
    return JSON.stringify(now) === JSON.stringify(wanted);
  }).catch(async (error) => {
    error.message += `\n${JSON.stringify(await marks(term))}\n${await term.text()}`;
    throw error;
  });
  const rows = await term.element.evaluate((element) => {
    const rows = [...element.querySelectorAll(".xterm-rows > div")];
    return [...element.querySelectorAll(".term-margin .term-mark")].map((mark) => {
      const { top, height } = mark.getBoundingClientRect();
      const row = rows.find((r) => Math.abs(r.getBoundingClientRect().top - top) < height / 2);
      return { said: mark.title, row: row?.textContent.replaceAll("\u00a0", " ") ?? "" };
    });
  });
  for (const { said, row } of rows) {
    const command = said.replace(/ (exited|is running|ended).*$/, "");
    const typed = row.replace(/^\$ | *right *$/g, "").trimEnd();
    assert.ok(typed !== "" && command.startsWith(typed), `“${said}” stands beside ${JSON.stringify(row)}`);
  }
}

// What is there for a moment only may be gone before anybody asks.
const watchFlash = (term) =>
  term.element.evaluate((element) => {
    element.flashed = false;
    new MutationObserver(() => {
      element.flashed ||= element.querySelector(".term-flash") !== null;
    }).observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
  });

const top = async (term) => (await term.lines())[0].trimEnd();

const shells = {
  bash: { files: {}, settings: "" },
  zsh: { files: { ".zshrc": "PS1='$ '\nRPROMPT='right'\n" }, settings: '{"terminal": {"shell": "/usr/bin/zsh"}}' },
  fish: {
    files: { ".config/fish/config.fish": "set -g fish_greeting\nfunction fish_prompt; echo -n '$ '; end\n" },
    settings: '{"terminal": {"shell": "/usr/bin/fish"}}',
  },
};

for (const [shell, { files, settings }] of Object.entries(shells)) {
  const there = spawnSync(shell, ["-c", "exit 0"]).status === 0;
  if (!there) continue;
  scenario(`${shell}: marks, jumps, output and run again, also after a reload and a resize`, async (world) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(world.home, path)), { recursive: true });
      world.write(path, text);
    }
    if (settings) world.settings(settings);
    await world.serve();
    const app = await world.open();
    await app.key("Control+Shift+T");
    const block = await until("a terminal", async () => Object.keys((await app.model()).blocks)[0]);
    const term = app.terminal(block);
    await until("a prompt", async () => (await term.lines()).some((line) => line.startsWith("$ ")));
    await term.hasKeys();
    await term.run("echo a; echo b");
    await marked(term, ["echo a; echo b exited with 0"]);
    await term.run("sh -c 'exit 3'");
    const long = `echo ${"0123456789".repeat(16)}`;
    await term.run(long);
    await marked(term, ["echo a; echo b exited with 0", "sh -c 'exit 3' exited with 3", `${long} exited with 0`]);
    await app.page.setViewportSize({ width: 900, height: 800 });
    await marked(term, ["echo a; echo b exited with 0", "sh -c 'exit 3' exited with 3", `${long} exited with 0`]);
    await term.run("seq 200");
    await term.shows(/^200$/m);
    await app.page.setViewportSize({ width: 1280, height: 800 });
    await app.key("Control+Shift+L");
    await app.says("200 lines of output copied");
    assert.equal(await clipboard(app), Array.from({ length: 200 }, (_, i) => i + 1).join("\n"));

    const jumps = async () => {
      await watchFlash(term);
      await app.key("Control+Shift+ArrowUp");
      await until("the last command", async () => (await top(term)).startsWith("$ seq 200"));
      await until("it was shown", () => term.element.evaluate((element) => element.flashed));
      await app.key("Control+Shift+ArrowUp");
      await until("the long one", async () => (await top(term)).startsWith("$ echo 0123456789"));
      await app.key("Control+Shift+ArrowUp");
      await until("the failed one", async () => (await top(term)).startsWith("$ sh -c 'exit 3'"));
      assert.ok((await marks(term)).includes("sh -c 'exit 3' exited with 3"));
      await app.key("Control+Shift+ArrowUp");
      await until("the first one", async () => (await top(term)).startsWith("$ echo a; echo b"));
      await app.key("Control+Shift+L");
      await until("its output", async () => (await clipboard(app)) === "a\nb");
      await app.key("Control+Shift+ArrowDown");
      await app.key("Control+Shift+ArrowDown");
      await until("the long one again", async () => (await top(term)).startsWith("$ echo 0123456789"));
      await app.palette("Copy a command");
      await until("the command", async () => (await clipboard(app)) === long);
    };
    await jumps();
    // A new page gets a screen with the scrollback.
    await app.page.reload();
    await app.page.locator(".win").waitFor();
    await term.shows(/^200$/m);
    await term.click();
    await jumps();

    await app.key("Control+Shift+End");
    await term.run("clear; echo on''ce >> count; echo do''ne");
    await term.shows(/^done$/m);
    await app.palette("Run a command again");
    await until("it ran again", () => world.read("count") === "once\nonce\n");
    await term.shows(/^done\n\$ /m); // the shell is at its prompt
    await app.type("echo x");
    await term.shows("$ echo x");
    await app.palette("Run a command again");
    await app.says("There is something at the prompt already.");
    await app.key("Control+C");
  });
}

session("a mark has a menu, and a line at the top says whose output is in view", async (app) => {
  const term = await app.newTerminal();
  await term.run("seq 100; false");
  await term.shows(/^100$/m);
  await app.key("Control+Shift+PageUp");
  const sticky = term.element.getByRole("button", { name: "seq 100; false", exact: true });
  await sticky.waitFor();
  await sticky.click();
  await until("its prompt", async () => (await top(term)).startsWith("$ seq 100"));
  await sticky.waitFor({ state: "hidden" });
  const mark = term.element.getByRole("button", { name: "seq 100; false exited with 1" });
  await mark.click();
  const menu = app.page.getByRole("menu");
  await menu.getByText("exited with 1").waitFor();
  await menu.getByRole("menuitem", { name: "Copy output" }).click();
  await until("the output", async () => (await clipboard(app)).endsWith("99\n100"));
  await mark.click();
  await menu.getByRole("menuitem", { name: "Copy command" }).click();
  await until("the command", async () => (await clipboard(app)) === "seq 100; false");
  await term.click();
  await term.run("cat");
  await mark.waitFor({ state: "hidden" });
  await app.palette("Run a command again");
  await app.says("cat is still running.");
  await app.key("Control+C");
});

session("the history has the commands of all terminals", async (app, world) => {
  const one = await app.newTerminal();
  await one.run("echo one; false");
  await one.run(" echo hidden");
  await one.shows(/^hidden$/m);
  const two = await app.opens(() => app.palette("Open a terminal to the right"));
  await two.run("cd /tmp");
  await two.run("echo two > ~/made");
  await world.wrote("made");
  const dialog = app.page.getByRole("dialog", { name: "Command history" });
  const rows = async () => (await dialog.getByRole("option").locator("code").allInnerTexts()).map((row) => row.trim());
  await app.key("Control+Shift+H");
  await until("all commands", async () => JSON.stringify(await rows()) === '["echo two > ~/made","cd /tmp","echo one; false"]');
  await app.type("ONE ec");
  await until("the one that has both words", async () => JSON.stringify(await rows()) === '["echo one; false"]');
  await dialog.getByText("exit 1").waitFor();
  await app.key("Control+C");
  await until("it is copied", async () => (await clipboard(app)) === "echo one; false");
  await app.key("Enter");
  await dialog.waitFor({ state: "hidden" });
  await two.hasKeys();
  await two.shows(/\$ echo one; false ?$/m);
  await app.key("Control+C");
  await app.key("Control+Shift+H");
  await app.type("made");
  await until("one command", async () => (await rows()).length === 1);
  world.write("made", "");
  await app.key("Control+Enter");
  await until("it ran", () => world.read("made") === "two\n");

  await app.key("Control+Shift+H");
  await until("it is the newest", async () => (await rows())[0] === "echo two > ~/made");
  await app.key("Shift+Delete");
  await until("it is forgotten", async () => JSON.stringify(await rows()) === '["cd /tmp","echo one; false"]');
  await app.type("nothing like it");
  await dialog.getByText("No command has “nothing like it” in it.").waitFor();
  await dialog.getByRole("button", { name: "Clear the history…" }).isDisabled();
  await dialog.getByLabel("Command history").first().press("Control+a");
  await app.key("Backspace");
  await dialog.getByRole("button", { name: "Clear the history…" }).click();
  await dialog.getByRole("button", { name: "Delete all" }).click();
  await dialog.getByText("Nothing yet.").waitFor();
});
