// Starting and ending the real binary.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "./until.mjs";

const top = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The binary under test: $DROVER_BIN, else what `make build` makes. */
export const binary = process.env.DROVER_BIN ?? resolve(top, "build/bin/drover");

/** The whole environment of a Drover under test: nothing of ours leaks in. */
export function environment(home, more = {}) {
  return {
    HOME: home,
    PATH: "/usr/local/bin:/usr/bin:/bin",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    USER: "drover",
    ...more,
  };
}

/** A process that was started, with all that it says. */
export class Process {
  /** Starts command in a directory of the test; env is all of its environment. */
  constructor(command, args, { cwd, env, uid, gid }) {
    this.stdout = "";
    this.stderr = "";
    this.child = spawn(command, args, { cwd, env, uid, gid, stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout.on("data", (piece) => (this.stdout += piece));
    this.child.stderr.on("data", (piece) => (this.stderr += piece));
    this.ended = new Promise((done, failed) => {
      this.child.once("error", failed);
      this.child.once("close", (code, signal) => {
        this.end = { code, signal };
        done(this.end);
      });
    });
    // Whoever waits hears of it; who does not must not be ended by it.
    this.ended.catch(() => {});
  }

  get pid() {
    return this.child.pid;
  }

  get running() {
    return this.end === undefined;
  }

  /** Sends a signal and waits for the end. Signals nothing that has ended. */
  async stop(signal = "SIGTERM") {
    if (this.running) this.child.kill(signal);
    return until(`the end of process ${this.pid} by ${signal}`, () => this.end, 30_000);
  }
}

/** `drover serve`, once it listens. */
export class Server extends Process {
  static async start({ home, data, port = 0 }) {
    const args = ["serve", "--listen", `127.0.0.1:${port}`, "--data", data];
    const server = new Server(binary, args, { cwd: home, env: environment(home) });
    await until("the address and the key of drover serve", () => {
      if (!server.running) throw new Error(`it ended: ${server.stderr}`);
      server.url = /at (http:\S+)/.exec(server.stdout)?.[1];
      server.key = /Access key: (\S+)/.exec(server.stdout)?.[1];
      return server.url && server.key;
    });
    return server;
  }

  get port() {
    return Number(new URL(this.url).port);
  }
}

/** Whether a process is there and not only waiting to be reaped. */
export function alive(pid) {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The processes whose environment has this home: Drover's and all that it started. */
export function processesOf(home) {
  const found = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      found.push({ pid: Number(pid), command });
    } catch {
      // It ended while we looked, or is not ours to look into.
    }
  }
  return found;
}
