import "./workspace.css";
import { useKnown } from "../../bridge/context";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { CloseDialog } from "./CloseDialog";
import { FirstRun } from "./FirstRun";
import { FolderDialog, NewTerminalDialog } from "./NewTerminal";
import { QuitDialog } from "./QuitDialog";
import { Unplaced } from "./Unplaced";
import { WorkspaceDock } from "./WorkspaceDock";

/** All workspaces, the active one on screen. covered: something else lies over the panes and has the keys. */
export function WorkspaceArea({ covered }: { covered: boolean }) {
  const workspaces = useKnown((k) => k.model.workspaces);
  const activeId = useKnown((k) => k.model.active);
  const active = workspaces.find((w) => w.id === activeId);
  const empty = !active || (active.layout.root === null && active.layout.floating.length === 0);
  return (
    <div className="panes">
      {active && active.unplaced.length > 0 && <Unplaced workspace={active} />}
      <div className="stack">
        {workspaces.map((w) => (
          <ErrorBoundary key={w.id} what={`Workspace ${w.name}`} action="Draw it again">
            <WorkspaceDock workspace={w} shown={w === active && !covered} keys={!covered} />
          </ErrorBoundary>
        ))}
        {empty && !covered && <FirstRun workspace={active} />}
      </div>
      <NewTerminalDialog />
      <FolderDialog />
      <CloseDialog />
      <QuitDialog />
    </div>
  );
}
