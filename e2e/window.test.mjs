// The real window on a display of its own, by real keys and a real mouse.

import assert from "node:assert/strict";

import { Display } from "./support/display.mjs";
import { alive, binary, processesOf } from "./support/server.mjs";
import { until } from "./support/until.mjs";
import { scenario } from "./support/world.mjs";

/** Opens the window and waits until it has painted its first view. */
async function opened(world) {
  const display = await Display.start(world);
  const app = world.spawn(binary, ["--data", world.data], { env: { DISPLAY: display.name } });
  const id = await display.window();
  await until("the window is painted", async () => {
    if (!app.running) throw new Error(app.stderr);
    return (await display.colours()) > 20;
  }, 30_000);
  return { display, app, id };
}

/** Opens a terminal by its key and waits until what is typed runs in it: in a shell that is none of the others. */
async function terminal({ display }, world, name, others = []) {
  const tab = { x: others.length === 0 ? 360 : 444, y: 46 };
  const before = await display.colour(tab);
  await display.key("ctrl+shift+t");
  await until("its tab is drawn", async () => (await display.colour(tab)) !== before).catch(() => {});
  const pid = () => {
    const now = Number(world.read(name));
    return now && !others.includes(now) && now;
  };
  return until(`a shell that writes ${name}`, async () => {
    await display.type(`echo $$ > ${name}\n`);
    return until("it was written", pid, 1000);
  }, 20_000);
}

/** Waits for a size of the terminal, which a shell writes again and again. */
async function resized(world, file, wanted) {
  await until(`${file} tells of the new size`, () => {
    const [rows, cols] = world.read(file).trim().split(" ").map(Number);
    if (!rows || !cols) return false;
    return wanted({ rows, cols });
  });
}

const watch = (file) => `until [ -e ${file}.end ]; do stty size > ${file}.new; mv ${file}.new ${file}; sleep 0.1; done\n`;

/** Asks the window to go until it asks back, which it shows in its middle. */
async function asks({ display, app, id }) {
  const middle = { x: 720, y: 450 };
  const before = await display.colour(middle);
  await until("the question", async () => {
    await display.quit(id);
    return until("it is shown", async () => (await display.colour(middle)) !== before, 2000);
  });
  assert.ok(app.running);
}

/** What stands in the panes at the end, for whoever looks at the picture. */
const scenes = [
  "clear; ls --color=auto -C -w 76 /usr/include | head -34",
  "clear; for i in {1..40}; do printf '\\e[32m✓\\e[0m test-%-3s ' $i; ((i % 5)) || echo; done; sleep 500 &",
  "clear; ls --color=auto -l /usr",
];

scenario("the window: keys, clipboard, panes split by dragging, and its end", async (world) => {
  world.settings('{"theme": "dark"}\n');
  const win = await opened(world);
  const { display, app } = win;
  const shells = [await terminal(win, world, "first")];

  // The clipboard: a double click selects a word on the first line.
  await display.type("clear; echo wo''rd; touch ready\n");
  await until("the word is there", async () => world.exists("ready"));
  const word = { x: 330, y: 85 };
  await until("a word is copied and pasted", async () => {
    await display.doubleClick(word);
    await display.key("ctrl+shift+c");
    await display.type("echo ");
    await display.key("ctrl+shift+v");
    await display.type(" > pasted\n");
    const text = await world.wrote("pasted", 2000);
    if (text !== "word") throw new Error(`pasted ${text}`);
    return true;
  });

  await display.type(`${scenes[0]}; touch drawn-a\n`);
  await until("the first scene", () => world.exists("drawn-a"));

  // The second tab to the right edge, the third one to the bottom of that.
  const drop = { width: 60, height: 60 };
  const drag = async (from, to) => {
    const before = await display.colour(to);
    await display.drag(from, to, async () => (await display.colour(to)) !== before);
  };
  shells.push(await terminal(win, world, "second", shells));
  await display.type(watch("size-b"));
  await resized(world, "size-b", ({ cols }) => cols > 100);
  await drag({ x: 444, y: 55 }, { x: 1440 - drop.width, y: 460 });
  await resized(world, "size-b", ({ cols }) => cols < 80);
  world.write("size-b.end", "");
  await display.type(`${scenes[1]} touch drawn-b\n`);
  await until("the keys are still its own", () => world.exists("drawn-b"));

  shells.push(await terminal(win, world, "third", shells));
  await display.type(watch("size-c"));
  await resized(world, "size-c", ({ rows }) => rows > 30);
  await drag({ x: 1016, y: 55 }, { x: 1150, y: 740 - drop.height });
  await resized(world, "size-c", ({ rows }) => rows < 25);
  world.write("size-c.end", "");
  await display.type(`${scenes[2]}; touch drawn-c\n`);
  await until("the keys are still its own", () => world.exists("drawn-c"));
  const text = { x: 880, y: 450, width: 400, height: 120 };
  await until("it is painted", async () => (await display.colours(text)) > 5);
  if (process.env.DROVER_SCREENSHOT) await display.picture(process.env.DROVER_SCREENSHOT);

  // The sleep in the second pane is asked about.
  await asks(win);
  await display.key("ctrl+Return");
  const { code } = await until("the end of the window", () => app.end, 20_000);
  assert.equal(code, 0);
  assert.match(app.stdout, /stopped [34], forced 0, survived 0/);
  assert.ok(!shells.some(alive));

  // A second look: what a browser gets of the same data.
  await world.serve();
  const page = await world.open();
  const { root } = (await page.active()).layout;
  assert.equal(root.split, "row");
  assert.equal(root.children[1].split, "column");
  assert.equal((await page.blocks()).length, 3);
});

scenario("a window goes through its tabs by keys, and when nothing runs goes when it is told to", async (world) => {
  const win = await opened(world);
  const shell = await terminal(win, world, "shell");
  const other = await terminal(win, world, "other", [shell]);
  // X11 has a name of its own for Tab with Shift.
  await win.display.key("ctrl+shift+Tab");
  await until("the keys are the first tab's", async () => {
    await win.display.type("echo $$ > back\n");
    return until("it was written", () => Number(world.read("back")) === shell, 1500);
  }, 20_000);
  await win.display.quit(win.id);
  const { code } = await until("the end of the window", () => win.app.end, 20_000);
  assert.equal(code, 0);
  assert.match(win.app.stdout, /stopped 2, forced 0, survived 0/);
  assert.ok(![shell, other].some(alive));
});

scenario("a signal ends the window and what runs in it, without a question", async (world) => {
  const win = await opened(world);
  await terminal(win, world, "shell");
  await win.display.type("sleep 1000 & echo $! > pid; wait\n");
  const pid = Number(await world.wrote("pid"));
  const { code } = await win.app.stop();
  assert.equal(code, 0);
  assert.ok(!alive(pid));
  const left = processesOf(world.home).filter(({ command }) => !command.startsWith("Xvfb"));
  assert.deepEqual(left, []);
});

scenario("without a display it says what to do, and the exit code is 1", async (world) => {
  const app = world.spawn(binary, ["--data", world.data]);
  const { code } = await until("its end", () => app.end);
  assert.equal(code, 1);
  assert.match(app.stderr, /no display[^]*drover serve/);
});

scenario("a window that cannot start says why, and stays", async (world) => {
  const win = await opened(world);
  await terminal(win, world, "first");
  const second = world.spawn(binary, ["--data", world.data], { env: { DISPLAY: win.display.name } });
  await until("it says why", () => second.stderr.includes("another Drover"));
  // Its page is told, and shows it in a box in its middle.
  await until("it is shown", async () => {
    const [box, more, around] = [
      await win.display.colour({ x: 900, y: 480 }),
      await win.display.colour({ x: 1100, y: 480 }),
      await win.display.colour({ x: 900, y: 300 }),
    ];
    return box === more && box !== around && around === (await win.display.colour({ x: 900, y: 700 }));
  }, 20_000);
  assert.ok(second.running, second.stderr);
  await second.stop();
  await win.app.stop();
});
