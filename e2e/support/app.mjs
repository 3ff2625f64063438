// The page as a person meets it: keys, mouse, and what can be read on it. The
// page's own api is the second look at what the backend thinks.

import assert from "node:assert/strict";

import { until } from "./until.mjs";

/** The most that an event may carry (bytes): a web view keeps larger ones for ever. */
export const largestEvent = 32 << 10;

export class App {
  /** Errors of the page that no test allowed. */
  problems = [];
  /** The events that were pushed, by name. */
  events = new Map();
  #allowed = [];

  constructor(page, server) {
    this.page = page;
    this.server = server;
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => this.#problem(`page error: ${error.stack}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.#problem(`console: ${message.text()}`);
    });
    page.on("websocket", (socket) => {
      if (new URL(socket.url()).pathname !== "/api") return;
      socket.on("framereceived", ({ payload }) => this.#heard(String(payload)));
    });
  }

  /** Says that an error is part of the story from here on. */
  allow(...patterns) {
    this.#allowed.push(...patterns);
  }

  async signIn(key = this.server.key) {
    await this.page.getByLabel("Access key").fill(key);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".win").waitFor();
  }

  key(chord) {
    return this.page.keyboard.press(chord);
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  /** Calls the backend as the page does: "Workspaces.Snapshot". */
  call(method, ...args) {
    return this.page.evaluate(
      ([area, name, list]) => window.go.api[area][name](...list),
      [...method.split("."), args],
    );
  }

  model() {
    return this.call("Workspaces.Snapshot");
  }

  /** The workspace on screen. */
  async active() {
    const model = await this.model();
    return model.workspaces.find((w) => w.id === model.active);
  }

  async status(block) {
    return (await this.call("Controllers.List")).find((s) => s.block === block);
  }

  async pid(block) {
    return until(`a process in ${block}`, async () => (await this.status(block))?.pid);
  }

  /** The blocks on screen. */
  blocks() {
    return this.page
      .locator("[data-terminal]")
      .evaluateAll((all) =>
        all
          .filter((el) => el.checkVisibility({ visibilityProperty: true }) && !el.closest("[inert]"))
          .map((el) => el.dataset.terminal),
      );
  }

  /** Does something that opens a terminal, and waits for it, its first prompt and its having the keys. */
  async opens(act) {
    const before = new Set(Object.keys((await this.model()).blocks));
    await act();
    const block = await until("a new terminal", async () =>
      Object.keys((await this.model()).blocks).find((id) => !before.has(id)),
    );
    const term = this.terminal(block);
    await term.shows(/\$ $/m);
    await term.hasKeys();
    return term;
  }

  newTerminal() {
    return this.opens(() => this.key("Control+Shift+T"));
  }

  /** Opens a terminal that runs a command, by the api. */
  async command(commandLine, more = {}) {
    const { id } = await this.active();
    const place = { workspace: id, pane: "", side: "center", index: -1 };
    const block = await this.call("Workspaces.OpenTerminal", { place, commandLine, cols: 80, rows: 24, ...more });
    return this.terminal(block.id);
  }

  terminal(block) {
    return new Terminal(this, block);
  }

  /** Runs a command of the palette by typing its title. */
  async palette(title) {
    await this.key("Control+Shift+P");
    await this.page.getByPlaceholder("Search, or run a command").fill(title);
    await this.page.locator(".palette").getByRole("option", { name: title }).first().waitFor();
    await this.key("Enter");
    await this.page.locator(".palette").waitFor({ state: "hidden" });
  }

  /** Waits for a text anywhere on the page. */
  async says(text, timeout) {
    await until(`the page says ${text}`, async () => {
      const all = await this.page.evaluate(() => document.body.innerText);
      return typeof text === "string" ? all.includes(text) : text.test(all);
    }, timeout).catch(async (error) => {
      error.message += `\n${await this.page.evaluate(() => document.body.innerText)}`;
      throw error;
    });
  }

  /** Drags from one point to another in steps, as a hand does. */
  async drag(from, to, hover = async () => {}) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 12, from.y + 6, { steps: 4 });
    await mouse.move(to.x, to.y, { steps: 10 });
    await hover();
    await mouse.up();
  }

  #problem(text) {
    if (!this.#allowed.some((pattern) => pattern.test(text))) this.problems.push(text);
  }

  #heard(text) {
    const message = JSON.parse(text);
    if (message.event === undefined) return;
    this.events.set(message.event, (this.events.get(message.event) ?? 0) + 1);
    const size = Buffer.byteLength(text);
    if (size > largestEvent) this.#problem(`the event ${message.event} has ${size} bytes`);
  }
}

export class Terminal {
  constructor(app, block) {
    this.app = app;
    this.block = block;
    this.element = app.page.locator(`[data-terminal="${block}"]`);
  }

  /** The lines on its screen. */
  async lines() {
    const rows = await this.element
      .locator(".xterm-rows > div")
      .evaluateAll((all) => all.map((row) => row.textContent));
    return rows.map((row) => row.replaceAll("\u00a0", " "));
  }

  /** The screen's text, without the empty lines at its end. */
  async text() {
    return (await this.lines()).map((line) => line.trimEnd()).join("\n").trimEnd();
  }

  /** Waits until the screen has a text or matches a pattern. */
  async shows(wanted, timeout) {
    const matches = (text) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
    // A prompt ends in a blank that trimming would take.
    return until(`the terminal shows ${wanted}`, async () => {
      const text = (await this.lines()).map((line) => line.replace(/ +$/, " ")).join("\n");
      return matches(text) && text;
    }, timeout).catch(async (error) => {
      error.message += `\n${await this.text().catch(() => "")}`;
      throw error;
    });
  }

  /** Waits until what is typed goes here. */
  async hasKeys() {
    await until(`the keys go to ${this.block}`, () =>
      this.app.page.evaluate(
        (block) => document.activeElement?.closest("[data-terminal]")?.dataset.terminal === block,
        this.block,
      ),
    );
  }

  async click() {
    await this.element.locator(".xterm-screen").click();
    await this.hasKeys();
  }

  /** Types a command line into the terminal that has the keys, which must be this one. */
  async run(line) {
    await this.hasKeys();
    await this.app.type(`${line}\n`);
  }

  pid() {
    return this.app.pid(this.block);
  }

  /** The strip below it, waited for. */
  async strip(text) {
    await this.element.locator(".term-strip").filter({ hasText: text }).waitFor();
  }

  button(name) {
    return this.element.locator(".term-strip").getByRole("button", { name });
  }

  box() {
    return this.element.boundingBox();
  }

  /** All text that is kept, by the view that shows it as text. */
  async allText() {
    await this.hasKeys();
    await this.app.palette("Show as text");
    const area = this.app.page.getByLabel("Terminal text");
    const text = await area.inputValue();
    await this.app.key("Escape");
    await area.waitFor({ state: "hidden" });
    return text;
  }

  /** Waits until the block is gone from the model. */
  async gone() {
    await until(`${this.block} is gone`, async () => !(this.block in (await this.app.model()).blocks));
  }

  async isThere() {
    assert.ok(this.block in (await this.app.model()).blocks, `${this.block} is gone`);
  }
}
