// A test's own world: a home, a data directory, its servers and its pages. At its
// end nothing may be left running, and no page may have had an error.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { chromium } from "playwright-core";

import { App } from "./app.mjs";
import { Process, Server, environment, processesOf } from "./server.mjs";
import { until } from "./until.mjs";

/** No case may take longer (milliseconds). */
const longest = 90_000;

let browser;

/** The one browser of a test file. */
async function theBrowser() {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return browser;
}

after(async () => (await browser)?.close());

export class World {
  /** Displays to take a picture of when a case fails. */
  displays = [];
  #processes = [];
  #apps = [];

  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), "drover-e2e-"));
    this.home = join(this.dir, "home");
    this.data = join(this.dir, "data");
    mkdirSync(this.home);
    writeFileSync(join(this.home, ".bashrc"), "PS1='$ '\nunset PROMPT_COMMAND\n");
    writeFileSync(join(this.home, ".bash_profile"), ". ~/.bashrc\n");
  }

  /** Starts `drover serve` on the world's data. */
  async serve(options = {}) {
    const server = await Server.start({ home: this.home, data: this.data, ...options });
    this.#processes.push(server);
    this.server = server;
    return server;
  }

  /** Starts any process that belongs to the world. */
  spawn(command, args, options = {}) {
    const { env, ...rest } = options;
    const process = new Process(command, args, { cwd: this.home, env: environment(this.home, env), ...rest });
    this.#processes.push(process);
    return process;
  }

  /** A page that is not signed in. */
  async visit(server = this.server, options = {}) {
    const context = await (await theBrowser()).newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "dark",
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    const app = new App(await context.newPage(), server);
    this.#apps.push(app);
    await app.page.goto(server.url);
    return app;
  }

  /** A page that is signed in and drawn. */
  async open(server = this.server, options = {}) {
    const app = await this.visit(server, options);
    await app.signIn();
    return app;
  }

  write(path, text) {
    writeFileSync(join(this.home, path), text);
  }

  exists(path) {
    return existsSync(join(this.home, path));
  }

  /** The text of a file in the home, "" while there is none. */
  read(path) {
    return this.exists(path) ? readFileSync(join(this.home, path), "utf8") : "";
  }

  /** Waits until a program has written a line into a file in the home. */
  async wrote(path, timeout) {
    const text = await until(`a line in ${path}`, () => /^[^\n]*\n/.test(this.read(path)) && this.read(path), timeout);
    return text.trimEnd();
  }

  settings(text) {
    mkdirSync(this.data, { recursive: true });
    writeFileSync(join(this.data, "settings.json"), text);
  }

  /** What helps to understand a failure, into $DROVER_E2E_OUT. */
  async keep(name) {
    const out = process.env.DROVER_E2E_OUT;
    if (!out) return;
    mkdirSync(out, { recursive: true });
    const base = join(out, name.replace(/[^a-z0-9]+/gi, "-"));
    for (const [i, app] of this.#apps.entries()) {
      if (!app.page.isClosed()) await app.page.screenshot({ path: `${base}-${i}.png` }).catch(() => {});
    }
    for (const display of this.displays) await display.picture(`${base}.png`).catch(() => {});
    for (const p of this.#processes) writeFileSync(`${base}-${p.pid}.txt`, `${p.stdout}\n--\n${p.stderr}`);
  }

  /** Ends everything. Throws for what was left running and for errors in pages. */
  async end() {
    const wrong = [];
    for (const app of this.#apps) {
      wrong.push(...app.problems);
      await app.page.context().close();
    }
    for (const p of this.#processes) {
      if (!p.running) continue;
      const { code, signal } = await p.stop();
      if (code !== 0) wrong.push(`process ${p.pid} ended with ${code ?? signal}: ${p.stderr}`);
    }
    const left = processesOf(this.home);
    for (const { pid, command } of left) {
      wrong.push(`left running: ${pid} ${command}`);
      process.kill(pid, "SIGKILL");
    }
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 3 });
    assert.ok(wrong.length === 0, wrong.slice(0, 5).join("\n").slice(0, 2000));
  }
}

/** One case in a world of its own. */
export function scenario(name, body) {
  test(name, { timeout: longest }, async () => {
    const world = new World();
    try {
      await body(world);
    } catch (error) {
      await world.keep(name);
      await world.end().catch((more) => (error.message += `\nand then: ${more.message}`));
      throw error;
    }
    await world.end();
  });
}

/** One case that begins with a server and a page that is signed in. */
export function session(name, body) {
  scenario(name, async (world) => {
    await world.serve();
    await body(await world.open(), world);
  });
}
