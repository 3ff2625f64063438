// Measures what a person sees while terminals flood: frames a second, bytes that
// reach the emulators, and the time from a key to its echo on the screen. Prints
// one JSON object. Usage: node bench/pages.mjs BINARY [panes,panes,…] [seconds]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [binary = "build/bin/drover", list = "0,1,4,16", length = "5"] = process.argv.slice(2);
const seconds = Number(length);
const dir = mkdtempSync(join(tmpdir(), "drover-bench-"));
const logLine = (i) =>
  `\x1b[2m12:${String(i % 60).padStart(2, "0")}:07\x1b[0m \x1b[32mok\x1b[0m   dial ${i} p50 \x1b[36m${i % 97}ms\x1b[0m /srv/app/handler.go:${i % 400} GET /v1/items/${i}\r\n`;
writeFileSync(join(dir, "log"), Array.from({ length: 400_000 }, (_, i) => logLine(i)).join(""));
// One program that writes the log again and again, so that no time goes into
// starting programs.
writeFileSync(join(dir, "flood"), '#!/bin/sh\nwhile :; do cat "$1"; done\n', { mode: 0o755 });

const server = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--data", join(dir, "data")], {
  env: { PATH: process.env.PATH, HOME: dir, SHELL: "/bin/sh", LANG: "C.UTF-8" },
  stdio: ["ignore", "pipe", "inherit"],
});
const said = await new Promise((done) => {
  let text = "";
  server.stdout.on("data", (b) => {
    text += b;
    if (text.includes("Ctrl+C")) done(text);
  });
});
const url = /http:\/\/\S+/.exec(said)[0];
const key = /Access key: (\S+)/.exec(said)[1];

const browser = await chromium.launch({
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

/** Opens a page with one shell that echoes and n that flood, all on screen. */
async function open(n) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  page.on("pageerror", (e) => console.error("page error:", e.message));
  // Every acknowledgement says how far an emulator has parsed.
  await page.addInitScript(() => {
    const send = WebSocket.prototype.send;
    window.acked = new Map();
    WebSocket.prototype.send = function (data) {
      const b = ArrayBuffer.isView(data) ? new DataView(data.buffer, data.byteOffset, data.byteLength) : undefined;
      if (b && b.byteLength === 13 && b.getUint8(0) === 4) window.acked.set(b.getUint32(1), Number(b.getBigUint64(5)));
      return send.call(this, data);
    };
  });
  await page.goto(url);
  await page.fill("input", key);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".xterm, .first-run, [data-first-run]") || document.body.innerText.includes("Start something"));
  await page.evaluate(
    async ([n, log, flooder]) => {
      const api = window.go.api;
      const model = await api.Workspaces.Snapshot();
      const all = Object.keys(model.blocks);
      if (all.length > 0) {
        const closing = await api.Controllers.Close({ blocks: all, workspace: "", now: true });
        await api.Controllers.CloseNow({ id: closing.id }).catch(() => undefined);
      }
      const add = (commandLine, place) =>
        api.Workspaces.OpenTerminal({
          place: { workspace: model.active, pane: "", side: "center", index: -1, ...place },
          name: "", dir: "", command: [], commandLine, shell: "", env: {}, unrecorded: false, cols: 80, rows: 24,
        });
      // The flooding panes lie in rows of four below the one that echoes.
      const leaf = (id, i) => ({ split: "", weight: 1, children: [], pane: { id: `bench-${i}`, blocks: [id], active: id } });
      const flood = `exec ${flooder} ${log}`;
      const echo = await add("stty raw -echo; echo ready; exec cat", {});
      const floods = [];
      for (let i = 0; i < n; i++) floods.push((await add(flood, {})).id);
      const rows = [];
      for (let i = 0; i < n; i += 4) {
        const children = floods.slice(i, i + 4).map((id, k) => leaf(id, i + k + 1));
        rows.push(children.length === 1 ? children[0] : { split: "row", weight: 1, children, pane: null });
      }
      const now = await api.Workspaces.Snapshot();
      await api.Workspaces.SetLayout({
        workspace: model.active,
        base: now.version,
        layout: {
          root: n ? { split: "column", weight: 1, children: [leaf(echo.id, 0), ...rows], pane: null } : leaf(echo.id, 0),
          floating: [], focus: "bench-0", zoomed: "",
        },
      });
    },
    [n, join(dir, "log"), join(dir, "flood")],
  );
  return page;
}

async function measure(n) {
  const page = await open(n);
  // The pane that echoes is the first one in the document.
  const screen = page.locator(".xterm").first();
  await screen.waitFor();
  await page.waitForTimeout(1500);
  await screen.click();
  const result = await page.evaluate(async (seconds) => {
    const rows = document.querySelector(".xterm .xterm-rows");
    const input = document.querySelector(".xterm textarea");
    input.focus();
    const gaps = [];
    let last = performance.now();
    let running = true;
    requestAnimationFrame(function tick(now) {
      gaps.push(now - last);
      last = now;
      if (running) requestAnimationFrame(tick);
    });
    const total = () => [...window.acked.values()].reduce((a, b) => a + b, 0);
    const bytes = total();
    const began = performance.now();
    const echoes = [];
    let lost = 0;
    while (performance.now() - began < seconds * 1000) {
      const before = rows.textContent;
      const t0 = performance.now();
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "x", code: "KeyX", keyCode: 88, bubbles: true, cancelable: true }));
      input.dispatchEvent(new KeyboardEvent("keypress", { key: "x", code: "KeyX", keyCode: 120, charCode: 120, bubbles: true, cancelable: true }));
      const took = await new Promise((done) => {
        const timeout = setTimeout(() => { watch.disconnect(); done(-1); }, 3000);
        const watch = new MutationObserver(() => {
          if (rows.textContent === before) return;
          watch.disconnect();
          clearTimeout(timeout);
          done(performance.now() - t0);
        });
        watch.observe(rows, { childList: true, subtree: true, characterData: true });
      });
      if (took < 0) lost++;
      else echoes.push(took);
      await new Promise((d) => setTimeout(d, 20 + Math.random() * 30));
    }
    running = false;
    gaps.shift();
    const q = (list, p) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) * p)] ?? -1;
    const round = (x) => Math.round(x * 10) / 10;
    const time = (performance.now() - began) / 1000;
    return {
      fps: round((1000 * gaps.length) / gaps.reduce((a, b) => a + b, 0)),
      worstFrame: round(Math.max(...gaps)),
      mbPerSecond: round((total() - bytes) / 1e6 / time),
      echoP50: round(q(echoes, 0.5)),
      echoP99: round(q(echoes, 0.99)),
      echoes: echoes.length,
      lost,
    };
  }, seconds);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `bench-${n}.png`) });
  await page.close();
  return { panes: n, ...result };
}

const results = [];
try {
  for (const n of list.split(",").map(Number)) {
    results.push(await measure(n));
    if (process.env.VERBOSE) console.error(JSON.stringify(results.at(-1)));
  }
  console.log(JSON.stringify(results));
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await new Promise((done) => server.once("exit", done));
  rmSync(dir, { recursive: true, force: true });
}
