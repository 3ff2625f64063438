import { TriangleAlert } from "lucide-react";
import type { Workspace } from "../../bridge/types";
import { count } from "../../lib/format";
import { Button } from "../../ui/Button";
import { useSession } from "./context";

/** Blocks that a repaired layout left without a pane: listed, and placed again by a press. */
export function Unplaced({ workspace }: { workspace: Workspace }) {
  const session = useSession();
  const place = (block: string) =>
    session.moveBlock(block, { workspace: workspace.id, pane: "", side: "center", index: -1 });
  const all = async () => {
    for (const block of workspace.unplaced) await place(block);
  };
  return (
    <div className="strip" role="status">
      <TriangleAlert className="ic" aria-hidden />
      <span className="grow min-w-0 cut">
        <b>{count(workspace.unplaced.length, "terminal")} without a pane.</b>{" "}
        <span className="t3">The layout had to be repaired; they still run.</span>
      </span>
      {workspace.unplaced.slice(0, 4).map((block) => (
        <Button small key={block} onClick={() => session.try("It could not be placed", place(block))}>
          {session.nameOf(block)}
        </Button>
      ))}
      <Button small look="primary" onClick={() => session.try("They could not be placed", all())}>
        Place all
      </Button>
    </div>
  );
}
