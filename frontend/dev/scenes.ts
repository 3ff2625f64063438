import type { Block, Ended, Process, Status } from "../src/bridge/types";
import { exitOf, type FakeBackend, leaf, pane, split, status } from "../test/fake";

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

function block(id: string, workspace: string, part: Partial<Block> = {}): Block {
  return {
    id,
    workspace,
    kind: "shell",
    name: "",
    dir: "/home/ada/lantern",
    command: [],
    commandLine: "",
    shell: "/usr/bin/zsh",
    env: {},
    closeOnExit: "",
    unrecorded: false,
    created: ago(4000),
    ...part,
  };
}

function proc(pid: number, name: string, depth: number, part: Partial<Process> = {}): Process {
  return {
    pid,
    parent: pid - 1,
    started: ago(2460),
    id: `id-${pid}`,
    name,
    command: name,
    cpu: 0,
    memory: 11e6,
    ports: [],
    foreground: false,
    depth,
    ...part,
  };
}

const ended = (id: string, name: string, part: Partial<Ended>): Ended => ({
  id,
  block: "zsh",
  name,
  owner: "lantern",
  detail: "",
  state: "exited",
  at: ago(60),
  code: 0,
  pid: 0,
  started: ago(600),
  process: "",
  ...part,
});

function busy(b: FakeBackend): void {
  const blocks = [
    block("zsh", "lantern"),
    block("api", "lantern", { name: "api log" }),
    block("lint", "lantern", { commandLine: "golangci-lint run" }),
    block("soak", "lantern", { name: "soak", dir: "/home/ada/ops" }),
    block("dev", "lantern", { commandLine: "npm run dev" }),
    block("tests", "lantern", { commandLine: "go test ./dialer/..." }),
    block("site", "website", { dir: "/home/ada/website" }),
    block("hugo", "website", { name: "hugo build", dir: "/home/ada/website" }),
  ];
  const statuses: Status[] = [
    status("zsh"),
    status("api"),
    status("lint", { state: "exited", reason: "self", exit: exitOf(0), ended: ago(700) }),
    status("soak", { state: "reconnecting", message: "no answer for 35 s" }),
    status("dev", { process: "npm" }),
    status("tests", { process: "go" }),
    status("site"),
    status("hugo", { state: "exited", reason: "self", exit: exitOf(1), ended: ago(1500) }),
  ];
  b.model = {
    version: 7,
    active: "lantern",
    blocks: Object.fromEntries(blocks.map((x) => [x.id, x])),
    workspaces: [
      {
        id: "lantern",
        name: "lantern",
        dir: "/home/ada/lantern",
        layoutVersion: 0,
        unplaced: [],
        layout: {
          root: split("row", [
            split("column", [leaf(pane("p1", ["zsh", "api", "lint"]), 2), leaf(pane("p2", ["soak"]), 1)], 3),
            leaf(pane("p3", ["dev", "tests"]), 4),
          ]),
          floating: [],
          focus: "p3",
          zoomed: "",
        },
      },
      {
        id: "website",
        name: "website",
        dir: "/home/ada/website",
        layoutVersion: 0,
        unplaced: [],
        layout: { root: leaf(pane("p4", ["site", "hugo"])), floating: [], focus: "p4", zoomed: "" },
      },
    ],
  };
  b.statuses = Object.fromEntries(statuses.map((s) => [s.block, s]));
  const row = (id: string, cpu: number, memory: number, processes: Process[] = []) => ({
    block: id,
    cpu,
    memory,
    processes,
    dir: "",
  });
  b.activity = {
    seq: 1,
    at: ago(0),
    cpu: 31,
    memory: 4.2 * 1024 ** 3,
    totalMemory: 16 * 1024 ** 3,
    hosts: [
      {
        id: "local",
        name: "This machine",
        cpu: 31,
        memory: 4.2 * 1024 ** 3,
        workspaces: [
          {
            id: "lantern",
            cpu: 28,
            memory: 3.1 * 1024 ** 3,
            blocks: [
              row("zsh", 1, 11e6, [
                proc(4100, "zsh", 0),
                proc(4200, "rg", 1, { command: "rg -n maxDelay --type go", foreground: true }),
              ]),
              row("api", 0, 9e6, [proc(4300, "zsh", 0)]),
              row("dev", 3, 240e6, [
                proc(47900, "npm", 0, { command: "npm run dev" }),
                proc(47990, "node", 1, {
                  cpu: 2,
                  memory: 188e6,
                  ports: [5173],
                  command: "node node_modules/.bin/vite",
                }),
                proc(48002, "esbuild", 2, { cpu: 1, memory: 41e6 }),
              ]),
              row("tests", 19, 671e6, [
                proc(48200, "go", 0, {
                  cpu: 2,
                  memory: 120e6,
                  command: "go test ./dialer/...",
                  started: ago(78),
                }),
                proc(48213, "dialer.test", 1, { cpu: 17, memory: 537e6, started: ago(18) }),
              ]),
            ],
          },
          {
            id: "website",
            cpu: 3,
            memory: 1.1 * 1024 ** 3,
            blocks: [row("site", 0, 10e6, [proc(5000, "zsh", 0)])],
          },
        ],
      },
    ],
    ended: [
      ended("e1", "vitest", { state: "failed", code: 1, detail: "2 tests failed, exit 1", at: ago(65) }),
      ended("e2", "nohup serve", {
        state: "left-running",
        detail: "pane closed 13:20",
        at: ago(3120),
        pid: 999,
        process: "id-999",
        block: "",
      }),
      ended("e3", "tsc --watch", { state: "stopped", detail: "stopped by you", at: ago(2) }),
      ended("e4", "golangci-lint", { detail: "0 issues, exit 0", at: ago(6) }),
      ended("e5", "log tail", { state: "unknown", detail: "its end was not seen", at: ago(12), block: "" }),
    ],
  };
  b.preview = {
    ask: true,
    items: [
      { block: "dev", name: "node :5173", kind: "process", detail: "of npm run dev", effect: "ends" },
      { block: "tests", name: "go test ./dialer/...", kind: "process", detail: "for 1:18", effect: "ends" },
    ],
  };
  b.dirs["/home/ada/website"] = ["content", "themes"];
}

function first(b: FakeBackend): void {
  b.model = {
    version: 1,
    active: "w1",
    blocks: {},
    workspaces: [
      {
        id: "w1",
        name: "workspace 1",
        dir: "",
        layoutVersion: 0,
        unplaced: [],
        layout: { root: null, floating: [], focus: "", zoomed: "" },
      },
    ],
  };
}

function trouble(b: FakeBackend): void {
  busy(b);
  b.view.problems = [
    { line: 12, column: 17, key: "terminal.fontSize", text: "must be a number from 4 to 100, not “large”" },
    { line: 31, column: 3, key: "terminal.blink", text: "there is no such setting" },
  ];
  b.view.settings.keys = { "pane.zoom": "Ctrl+Shift+D" };
  b.statuses["zsh"] = status("zsh", { activity: "waiting-for-you", kind: "persistent" });
  const ws = b.model.workspaces[0];
  if (ws) ws.unplaced = ["site"];
  b.hello.notices = [
    {
      id: "n1",
      level: "warn",
      title: "The log is nearly full",
      text: "3.8 of 4 GiB are used.",
      block: "",
      fix: "Raise it in the settings.",
    },
  ];
}

/** More workspaces than there is room for. */
function many(b: FakeBackend): void {
  busy(b);
  for (let n = 3; n <= 25; n++) {
    b.model.workspaces.push({
      id: `w${n}`,
      name: n % 4 === 0 ? `a workspace with a long name ${n}` : `workspace ${n}`,
      dir: "",
      layoutVersion: 0,
      unplaced: [],
      layout: { root: null, floating: [], focus: "", zoomed: "" },
    });
  }
}

export const scenes: Record<string, (backend: FakeBackend) => void> = { busy, first, trouble, many };
