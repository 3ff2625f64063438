// The first minutes: signing in, the first terminal, the dialogue, the palette,
// the settings.

import assert from "node:assert/strict";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

scenario("a page without the right key is told so, and the right one lets it in", async (world) => {
  await world.serve();
  const app = await world.visit();
  app.allow(/WebSocket connection to .* failed/);
  for (const wrong of ["nokey", "not a key"]) {
    await app.page.getByLabel("Access key").fill(wrong);
    await app.key("Enter");
    await app.says("The access key is not the right one.");
    // The text is selected: what is typed next takes its place.
    await app.type("x");
    assert.equal(await app.page.getByLabel("Access key").inputValue(), "x");
  }
  await app.signIn(world.server.key.toLowerCase().replace(/(.{6})/g, "$1 -"));
  await app.says("Start something");
});

session("the first run shows how to begin, and Enter begins", async (app) => {
  await app.says("Start something");
  await app.says("Every terminal shows up here");
  const term = await app.opens(() => app.key("Enter"));
  await term.run("echo be''gun");
  await term.shows("begun");
  assert.equal(await app.page.getByText("Start something").count(), 0);
});

session("a new terminal by key has the keys at once, in the home folder", async (app, world) => {
  const first = await app.newTerminal();
  await first.run("pwd > where");
  assert.equal(await world.wrote("where"), world.home);
  const second = await app.newTerminal();
  await second.run("echo sec''ond");
  await second.shows("second");
  assert.ok(!(await first.text()).includes("second"));
});

session("the dialogue says below the field what is wrong, and opens what is right", async (app, world) => {
  await app.key("Control+Shift+N");
  const dialog = app.page.getByRole("dialog", { name: "New terminal" });
  const folder = dialog.getByLabel("Folder");
  await folder.fill("/nowhere");
  await app.key("Enter");
  await until("the message belongs to the field", async () => {
    const id = await folder.getAttribute("aria-describedby");
    return id && /no such folder/.test(await app.page.locator(`[id="${id}"]`).innerText());
  });
  assert.equal(await folder.getAttribute("aria-invalid"), "true");
  assert.deepEqual((await app.model()).blocks, {});
  await folder.fill("/usr");
  const term = await app.opens(() => app.key("Enter"));
  await term.run("pwd > ~/where");
  assert.equal(await world.wrote("where"), "/usr");
});

session("the palette finds a command and runs it", async (app) => {
  await app.newTerminal();
  await app.opens(() => app.palette("Open a terminal to the right"));
  assert.equal((await app.blocks()).length, 2);
});

session("a theme and a font size apply at once, and are kept", async (app) => {
  const term = await app.newTerminal();
  const rows = (await term.lines()).length;
  const background = () => app.page.evaluate(() => getComputedStyle(document.querySelector(".win")).backgroundColor);
  const dark = await background();
  await app.key("Control+,");
  const settings = app.page.getByRole("region", { name: "Settings" });
  await settings.getByRole("radio", { name: "Light" }).click();
  await until("the light theme", async () => (await background()) !== dark);
  await settings.getByRole("button", { name: "Terminal", exact: true }).click();
  const size = settings.getByLabel("Size", { exact: true });
  await size.fill("22");
  await size.press("Enter");
  await until("the file has it", async () => (await app.call("Settings.Load")).settings.terminal.fontSize === 22);
  await size.press("Escape");
  await until("larger cells", async () => (await term.lines()).length < rows);
  await term.hasKeys();
  await app.page.reload();
  await app.page.locator("html.theme-light").waitFor();
});

session("a wrong value in the settings file is shown with its line, and the rest applies", async (app, world) => {
  world.settings('{\n  // by hand\n  "terminal": {\n    "fontSize": "big",\n    "scrollback": 1234\n  }\n}\n');
  await until("the file is read", async () => (await app.call("Settings.Load")).problems.length === 1);
  assert.equal((await app.call("Settings.Load")).settings.terminal.scrollback, 1234);
  const notice = app.page.getByRole("list", { name: "Notices" });
  await notice.getByText(/Line 4, terminal\.fontSize: .+ The rest applies/).waitFor();
  await app.page.getByRole("button", { name: "1 problem in Settings" }).waitFor();
  await notice.getByRole("button", { name: "Show in the settings" }).click();
  await app.page.getByRole("region", { name: "Settings" }).getByText(/Line 4, terminal\.fontSize: .+/).waitFor();
  world.settings('{ "keys": { "palette.open": "Ctrl+Shft+P" } }\n');
  await notice.getByText(/keys\.palette\.open: .*Ctrl\+Shft\+P/).waitFor();
  world.settings("{}\n");
  await notice.getByText("keys.palette.open").waitFor({ state: "hidden" });
});

session("keys act on no pane that the settings cover, and the key that closes closes the settings", async (app) => {
  const term = await app.newTerminal();
  const settings = app.page.getByRole("region", { name: "Settings" });
  await app.key("Control+,");
  await settings.waitFor();
  await app.key("Control+Shift+W");
  await settings.waitFor({ state: "hidden" });
  assert.deepEqual(await app.blocks(), [term.block]);
  await term.hasKeys();
  await app.key("Control+,");
  await settings.waitFor();
  const second = await app.opens(() => app.key("Control+Shift+D"));
  await settings.waitFor({ state: "hidden" });
  assert.deepEqual((await app.blocks()).sort(), [term.block, second.block].sort());
});
