import { blockName, endText, waitingBlocks } from "../../bridge/describe";
import type { Known } from "../../bridge/mirror";
import type { Status } from "../../bridge/types";
import { clockText, moment } from "../../lib/format";

// What needs a person. Pure.

export interface NeedRow {
  block: string;
  kind: "waiting" | "failed";
  name: string;
  /** Why, in a line. */
  why: string;
  /** Where it is: the workspace's name. */
  where: string;
  /** Since when, "13:47"; "" if that is not known. */
  since: string;
}

type Source = Pick<Known, "model" | "statuses">;

/** Those that wait, longest first; then those that failed, last first. */
export function needRows({ model, statuses }: Source): NeedRow[] {
  const names = new Map(model.workspaces.map((w) => [w.id, w.name]));
  const row = (kind: NeedRow["kind"], status: Status): NeedRow | undefined => {
    const block = model.blocks[status.block];
    if (!block) return undefined;
    const at = moment(status.since);
    return {
      block: status.block,
      kind,
      name: blockName(block, status),
      why: kind === "waiting" ? status.message || "waits for your answer" : failure(status),
      where: names.get(block.workspace) ?? "",
      since: at === undefined ? "" : clockText(at),
    };
  };
  const failed = Object.values(statuses)
    .filter((s) => s.state === "failed" && !s.closing)
    .sort((a, b) => b.since.localeCompare(a.since));
  return [
    ...waitingBlocks(statuses).map((s) => row("waiting", s)),
    ...failed.map((s) => row("failed", s)),
  ].filter((r) => r !== undefined);
}

function failure(status: Status): string {
  const said = status.message || status.exit.error || endText(status);
  if (status.pid !== 0) return said || "failed";
  if (!said) return "could not start, and did not say why";
  return /^cannot /.test(said) ? said : `could not start: ${said}`;
}
