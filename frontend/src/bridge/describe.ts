import { clockText, moment, tildePath } from "../lib/format";
import type { Progress } from "../lib/progress";
import { mostUrgent, type StateName } from "../lib/state";
import type { ActivitySnapshot, Block, BlockRow, Ended, Status, TerminalState } from "./types";

/** The one glyph of a block: what its agent does if it has one, else where its life stands. */
export function stateOf(status: Status | undefined): StateName {
  if (!status) return "idle";
  switch (status.state) {
    case "running":
      switch (status.activity) {
        case "waiting-for-you":
          return "waiting";
        case "":
          return "running";
        default:
          return status.activity;
      }
    case "exited":
      if (!status.exit.known) return "unknown";
      return status.exit.code === 0 || status.reason !== "self" ? "exited" : "failed";
    default:
      return status.state;
  }
}

/** The glyph of something that ended. */
export function endedState(ended: Ended): StateName {
  switch (ended.state) {
    case "exited":
      return ended.code === 0 ? "done" : "failed";
    case "stopped":
      return "exited";
    case "left-running":
    case "unknown":
      return "unknown";
    case "failed":
      return "failed";
  }
}

const base = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

// Words that only say how the program after them is run.
const wrappers = new Set(["exec", "env", "command", "builtin", "nohup", "time", "nice", "setsid", "sudo"]);

// Where a command line begins with one of these, it is a program of the shell's own.
const keywords = new Set(["for", "while", "until", "if", "case", "select", "function", "[[", "!"]);

/**
 * The program that a command line begins with, without its folder: "npm" for
 * "PORT=1 exec npm run dev". "" where the shell itself is the program.
 */
export function programOf(commandLine: string): string {
  const words = commandLine.trim().split(/[\s;|&(){}<>]+/u);
  const word = words.find((w) => w && !/^\w+=/.test(w) && !w.startsWith("-") && !wrappers.has(w));
  if (word && keywords.has(word)) return "";
  return base((word ?? words[0] ?? "").replaceAll(/["']/g, ""));
}

/**
 * What a block is called: the name given to it, else the program it was given,
 * else what its shell runs in front (by the title that it set, if it set one),
 * else the shell.
 */
export function blockName(
  block: Block,
  status: Status | undefined,
  row?: BlockRow,
  said?: TerminalState,
): string {
  const program = base(block.command[0] ?? "") || programOf(block.commandLine);
  const front = row?.processes.find((p) => p.foreground && p.depth > 0)?.name;
  // A shell's own title is its user, host and folder, which stand elsewhere.
  const title = front && said && !/^\S+@\S+:/.test(said.title) ? said.title : "";
  return block.name || program || title || front || status?.process || base(block.shell) || "terminal";
}

/** What a block's program says of its progress (OSC 9;4); undefined without one, and once it has ended. */
export function progressOf(
  status: Status | undefined,
  said: TerminalState | undefined,
): Progress | undefined {
  if (status?.state !== "running" || !said) return undefined;
  const { percent } = said;
  switch (said.progress) {
    case 1:
      return { kind: "normal", percent, words: `${percent} % done` };
    case 2:
      // Without a number it is the whole that failed.
      return { kind: "error", percent: percent || 100, words: percent ? `failed at ${percent} %` : "failed" };
    case 3:
      return { kind: "busy", percent: undefined, words: "busy" };
    case 4:
      return {
        kind: "paused",
        percent: percent || 100,
        words: percent ? `paused at ${percent} %` : "paused",
      };
    default:
      return undefined;
  }
}

/** The command that a block was given, in full; "" for a shell to type into. */
export function blockCommand(block: Block): string {
  return block.commandLine || block.command.join(" ");
}

/** The folder a block is in now, with "~". */
export function blockDir(block: Block, row: BlockRow | undefined, home: string): string {
  return tildePath(row?.dir || block.dir, home);
}

/** Why it stands where it stands, in a few words: "exit 1 · 13:47", "SIGKILL", "". */
export function endText(status: Status | undefined): string {
  if (!status || (status.state !== "exited" && status.state !== "failed")) return "";
  const at = moment(status.ended);
  const when = at === undefined ? "" : ` · ${clockText(at)}`;
  if (status.exit.error) return `${status.exit.error}${when}`;
  if (!status.exit.known) return `${status.message || "its end was not seen"}${when}`;
  if (status.exit.signal) return `${status.exit.signal}${when}`;
  return `${status.state === "failed" ? "exit" : "exited"} ${status.exit.code}${when}`;
}

/** Rows of the activity snapshot by block. */
export function rowsByBlock(activity: ActivitySnapshot): Map<string, BlockRow> {
  const rows = new Map<string, BlockRow>();
  for (const host of activity.hosts) {
    for (const ws of host.workspaces) for (const row of ws.blocks) rows.set(row.block, row);
  }
  return rows;
}

/** Blocks that wait for a person, longest first. */
export function waitingBlocks(statuses: Readonly<Record<string, Status>>): Status[] {
  return Object.values(statuses)
    .filter((s) => !s.closing && stateOf(s) === "waiting")
    .sort((a, b) => a.since.localeCompare(b.since));
}

/** The most urgent state among some blocks; undefined when none of them has a status. */
export function urgentState(
  blocks: Iterable<string>,
  statuses: Readonly<Record<string, Status>>,
): StateName | undefined {
  const states: StateName[] = [];
  for (const id of blocks) {
    const status = statuses[id];
    if (status) states.push(stateOf(status));
  }
  return mostUrgent(states);
}
