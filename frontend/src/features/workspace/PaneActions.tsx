import type { IDockviewHeaderActionsProps } from "dockview-react";
import { Columns2, Ellipsis, Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../../ui/Button";
import { Menu } from "../../ui/Menu";
import { blockMenu } from "./blockMenu";
import { useSession } from "./context";

/** The buttons at the right of a pane's tabs. */
export function PaneActions({ api, containerApi, activePanel, group }: IDockviewHeaderActionsProps) {
  const session = useSession();
  const [zoomed, setZoomed] = useState(() => api.isMaximized());
  useEffect(() => {
    const sub = containerApi.onDidMaximizedGroupChange(() => setZoomed(api.isMaximized()));
    return () => sub.dispose();
  }, [api, containerApi]);
  if (!activePanel) return null;
  const front = () => activePanel.api.setActive();
  return (
    <span className="acts">
      <IconButton
        icon={Columns2}
        name="Open a terminal to the right"
        command="terminal.split.right"
        onClick={() => {
          front();
          session.try("No terminal could be opened", session.openTerminal({ side: "right" }));
        }}
      />
      {group.api.location.type === "grid" && (
        <IconButton
          icon={zoomed ? Minimize2 : Maximize2}
          name={zoomed ? "Leave the zoom" : "Zoom the pane"}
          command="pane.zoom"
          on={zoomed}
          onClick={() => {
            front();
            session.docks.of(session.active?.id ?? "")?.toggleZoom();
          }}
        />
      )}
      <Menu groups={() => blockMenu(session, activePanel.id)}>
        <button type="button" className="ib" aria-label="More" title="More">
          <Ellipsis className="ic" aria-hidden />
        </button>
      </Menu>
    </span>
  );
}
