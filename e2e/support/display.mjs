// A display of its own for the real window, with hands (xdotool) and eyes (import).

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { until } from "./until.mjs";
import { askToClose } from "./x11.mjs";

const exec = promisify(execFile);

export const screen = { width: 1440, height: 900 };

export class Display {
  /** Starts Xvfb on a display number that is free. Owned by the world. */
  static async start(world) {
    const server = world.spawn("Xvfb", [
      ...["-displayfd", "1"],
      ...["-screen", "0", `${screen.width}x${screen.height}x24`],
      ...["-nolisten", "tcp", "-noreset"],
    ]);
    const number = await until("Xvfb is up", () => /^\d+\n/.exec(server.stdout)?.[0].trim());
    return new Display(`:${number}`, world);
  }

  constructor(name, world) {
    this.name = name;
    this.world = world;
    world.displays.push(this);
  }

  get env() {
    // xdotool reads what it types by the locale.
    return { ...process.env, DISPLAY: this.name, LC_ALL: "C.UTF-8" };
  }

  async #do(...args) {
    const { stdout } = await exec("xdotool", args.map(String), { env: this.env });
    return stdout.trim();
  }

  /** Waits for the window of a process and gives it the keys: there is no window manager to do that. */
  async window() {
    const id = await until("the window", async () => (await this.#do("search", "--onlyvisible", "--name", "^Drover$")).split("\n")[0], 30_000);
    await this.#do("windowfocus", "--sync", id);
    return id;
  }

  key(...chords) {
    return this.#do("key", "--clearmodifiers", ...chords);
  }

  type(text) {
    return this.#do("type", "--delay", "5", text);
  }

  /** Asks the window to close, as the cross of its frame does. */
  quit(id) {
    return askToClose(this.name, Number(id));
  }

  async doubleClick({ x, y }) {
    await this.#do("mousemove", "--sync", x, y, "click", "--repeat", 2, "--delay", 60, 1);
  }

  /**
   * Drags in steps, each of which the page is given the time to see, and lets go
   * when shown says so. The pointer is never still meanwhile: a drag that begins
   * late hears nothing of the steps before. One that never began is taken back
   * to where it started and tried again.
   */
  async drag(from, to, shown) {
    const move = (x, y) => this.#do("mousemove", "--sync", x, y);
    const steps = 12;
    await until("the place for the drop is shown", async () => {
      await move(from.x, from.y);
      await this.#do("mousedown", 1);
      for (let i = 1; i <= steps; i++) {
        const at = (a, b) => Math.round(a + ((b - a) * i) / steps);
        await move(at(from.x, to.x), at(from.y, to.y));
      }
      try {
        let nudge = 0;
        return await until("it is shown", async () => {
          nudge = nudge === 0 ? 3 : 0;
          await move(to.x - nudge, to.y - nudge);
          return shown();
        }, 5000);
      } catch (error) {
        await move(from.x, from.y);
        await this.#do("mouseup", 1);
        throw error;
      }
    });
    await this.#do("mouseup", 1);
  }

  /** Writes a picture of the display. */
  async picture(path) {
    await exec("import", ["-silent", "-window", "root", path], { env: this.env });
    return path;
  }

  /** How many colours there are to see in a part of it: one while nothing is painted. */
  async colours({ x, y, width, height } = { x: 0, y: 0, ...screen }) {
    const path = await this.picture(join(this.world.dir, "colours.png"));
    const { stdout } = await exec("identify", ["-format", "%k", `${path}[${width}x${height}+${x}+${y}]`]);
    return Number(stdout);
  }

  /** The colour of one pixel, as "srgb(1,2,3)". */
  async colour({ x, y }) {
    const path = await this.picture(join(this.world.dir, "pixel.png"));
    const { stdout } = await exec("convert", [path, "-format", `%[pixel:p{${x},${y}}]`, "info:"]);
    return stdout;
  }
}
