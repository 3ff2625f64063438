import "dockview-react/dist/styles/dockview.css";
import { DockviewReact, type DockviewReadyEvent, type DockviewTheme } from "dockview-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Workspace } from "../../bridge/types";
import { cx } from "../../lib/format";
import { useSession } from "./context";
import { DockController } from "./dockController";
import { blockDragType, draggedBlock, endBlockDrag, startBlockDrag } from "./drag";
import { PaneActions } from "./PaneActions";
import { OnScreen, PaneContent } from "./PaneContent";
import { PaneTab } from "./PaneTab";

const theme: DockviewTheme = {
  name: "drover",
  className: "dockview-theme-drover",
  gap: 6,
  dndOverlayMounting: "absolute",
  dndPanelOverlay: "group",
};
const components = { block: PaneContent };
const tabs = { block: PaneTab };

/** The panes of one workspace. Hidden workspaces keep their size, so that showing one never touches a terminal. */
export function WorkspaceDock({
  workspace,
  shown,
  keys,
}: {
  workspace: Workspace;
  shown: boolean;
  keys: boolean;
}) {
  const session = useSession();
  const [dock, setDock] = useState<DockController>();
  const host = useRef<HTMLDivElement>(null);
  const id = workspace.id;

  const ready = useCallback(
    ({ api }: DockviewReadyEvent) => {
      const failed = (text: string) =>
        session.toasts.show({ level: "error", title: "The layout could not be kept", text });
      const made = new DockController(api, id, session.mirror, failed);
      setDock(made);
      api.onWillDragPanel((e) => startBlockDrag(e.nativeEvent, e.panel.id));
      api.onUnhandledDragOver((e) => {
        if (draggedBlock() !== undefined) e.accept();
      });
      // The drag took the keys; the pane may take them once it is drawn in its new place.
      api.onDidMovePanel(({ panel }) => {
        if (!made.drawing) requestAnimationFrame(() => session.focusBlock(panel.id));
      });
      api.onDidDrop((e) => {
        const block = draggedBlock();
        endBlockDrag();
        if (block === undefined) return;
        const controller = session.docks.of(id);
        if (!controller) return;
        const place = controller.placeAt(e.group?.id, e.position);
        session.try("It could not be moved", session.moveBlock(block, place));
      });
    },
    [session, id],
  );

  useEffect(() => {
    if (!dock) return;
    const registered = session.docks.add(dock);
    return () => {
      registered.dispose();
      dock.dispose();
    };
  }, [dock, session]);

  const { layout, layoutVersion } = workspace;
  useEffect(() => dock?.apply(layout, layoutVersion), [dock, layout, layoutVersion]);

  const empty = workspace.layout.root === null && workspace.layout.floating.length === 0;
  return (
    <OnScreen value={shown && keys}>
      <div
        ref={host}
        className={cx("dock-host", (!shown || empty) && "away")}
        data-drag={blockDragType}
        inert={!shown || empty}
      >
        <DockviewReact
          theme={theme}
          components={components}
          tabComponents={tabs}
          rightHeaderActionsComponent={PaneActions}
          defaultRenderer="always"
          floatingGroupDragHandle="tabbar"
          noPanelsOverlay="emptyGroup"
          floatingGroupBounds={{ minimumWidthWithinViewport: 80, minimumHeightWithinViewport: 40 }}
          onReady={ready}
        />
      </div>
    </OnScreen>
  );
}
