import { blockName, endedState, programOf, stateOf } from "../../bridge/describe";
import type { Known } from "../../bridge/mirror";
import type { ActivitySnapshot, Block, BlockRow, Process } from "../../bridge/types";
import { moment } from "../../lib/format";
import type { StateName } from "../../lib/state";

// The rows of the activity dock. Pure.

export interface RunningRow {
  /** The identity of its process. */
  id: string;
  name: string;
  /** The block it belongs to, by name; the workspace's when it is the block's own command. */
  owner: string;
  block: string;
  command: string;
  /** The command without the name that stands before it already. */
  args: string;
  ports: readonly number[];
  state: StateName;
  cpu: number;
  memory: number;
  /** Milliseconds since the epoch; undefined when not known. */
  since: number | undefined;
}

export interface EndedRow {
  id: string;
  name: string;
  owner: string;
  detail: string;
  state: StateName;
  at: number | undefined;
  block: string;
  /** Names its process, for ending it. */
  process: string;
  /** It still runs, or may: it can be ended. */
  canEnd: boolean;
  /** It wants a look: it failed, or nobody knows. */
  loud: boolean;
}

type Source = Pick<Known, "model" | "statuses" | "activity">;

/** What runs beyond the shells themselves, oldest first. */
export function runningRows(known: Source): RunningRow[] {
  const rows: RunningRow[] = [];
  for (const host of known.activity.hosts) {
    for (const ws of host.workspaces) {
      for (const row of ws.blocks) {
        const block = known.model.blocks[row.block];
        if (block) rows.push(...blockJobs(block, row, known));
      }
    }
  }
  return rows.sort((a, b) => (a.since ?? 0) - (b.since ?? 0) || a.id.localeCompare(b.id));
}

function blockJobs(block: Block, row: BlockRow, known: Source): RunningRow[] {
  const status = known.statuses[block.id];
  const { processes } = row;
  // A shell is only where commands are typed; a block that was given a command is one itself.
  const isCommand = block.command.length > 0 || block.commandLine !== "";
  const level = isCommand ? 0 : 1;
  const rows: RunningRow[] = [];
  let job: { row: RunningRow; ports: number[] } | undefined;
  for (const p of processes) {
    if (p.depth < level) continue;
    if (p.depth === level || !job) {
      job = { row: jobRow(p, block, known, isCommand), ports: [] };
      job.row.ports = job.ports;
      if (status?.closing) job.row.state = "stopping";
      rows.push(job.row);
    } else {
      job.row.cpu = sum(job.row.cpu, p.cpu);
      job.row.memory = sum(job.row.memory, p.memory);
    }
    for (const port of p.ports) if (!job.ports.includes(port)) job.ports.push(port);
  }
  return rows;
}

function argsOf({ name, command }: Process): string {
  const [first = "", ...rest] = command.split(" ");
  return programOf(first) === name ? rest.join(" ") : command;
}

/** Adds figures of which -1 means "not known yet". */
const sum = (a: number, b: number) => (b < 0 ? a : a < 0 ? b : a + b);

function jobRow(p: Process, block: Block, known: Source, own: boolean): RunningRow {
  const status = known.statuses[block.id];
  const state = stateOf(status);
  return {
    id: p.id,
    name: p.name,
    owner:
      (own && known.model.workspaces.find((w) => w.id === block.workspace)?.name) || blockName(block, status),
    block: block.id,
    command: p.command,
    args: argsOf(p),
    ports: [],
    state: state === "stopping" || state === "killing" || state === "reconnecting" ? state : "running",
    cpu: p.cpu,
    memory: p.memory,
    since: moment(p.started),
  };
}

/** What ended or is not known, most recent first. */
export function endedRows(activity: ActivitySnapshot): EndedRow[] {
  return activity.ended.map((e) => {
    const state = endedState(e);
    return {
      id: e.id,
      name: e.name,
      owner: e.state === "left-running" ? "left running" : e.owner,
      detail: e.detail === e.name ? "" : e.detail,
      state,
      at: moment(e.at),
      block: e.block,
      process: e.process,
      canEnd: e.process !== "",
      loud: state === "failed" || state === "unknown",
    };
  });
}

/** How many samples a spark line shows. */
const samples = 12;

/** CPU over the last snapshots, by row. */
export type History = ReadonlyMap<string, readonly number[]>;

/** Adds a sample for each row that runs; rows that are gone are forgotten. */
export function withSample(history: History, rows: readonly RunningRow[]): History {
  return new Map(rows.map((r) => [r.id, [...(history.get(r.id) ?? []), Math.max(0, r.cpu)].slice(-samples)]));
}

export interface Spark {
  line: string;
  fill: string;
  end: { x: number; y: number };
}

/** The curve of some samples in a box of 56 by 15; undefined for fewer than two. */
export function sparkOf(values: readonly number[]): Spark | undefined {
  if (values.length < 2) return undefined;
  // A row that hardly does anything is drawn low, not blown up to the full height.
  const top = Math.max(20, ...values);
  const step = 53 / (samples - 1);
  const from = (samples - values.length) * step;
  const points = values.map((v, i) => ({ x: from + i * step, y: 14 - (v / top) * 12 }));
  const text = points.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L");
  const end = points.at(-1) ?? { x: 53, y: 14 };
  return { line: `M${text}`, fill: `M${text}L${end.x.toFixed(1)} 14L${from.toFixed(1)} 14Z`, end };
}
