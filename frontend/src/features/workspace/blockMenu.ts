import { ArrowLeftRight, Columns2, Maximize2, PanelTop, Pencil, RotateCw, Rows2, X } from "lucide-react";
import type { MenuGroups } from "../../ui/Menu";
import type { WorkspaceSession } from "./session";

/** The menu of a tab: the same by right click on the tab and by the button of its pane. */
export function blockMenu(session: WorkspaceSession, block: string): MenuGroups {
  const { model } = session.mirror.known;
  const home = model.blocks[block]?.workspace;
  const dock = home === undefined ? undefined : session.docks.of(home);
  const others = model.workspaces.filter((w) => w.id !== home);
  const open = (side: "right" | "below") => () => {
    dock?.focusBlock(block);
    session.try("No terminal could be opened", session.openTerminal({ side }));
  };
  const onDock = (run: () => void) => () => {
    dock?.focusBlock(block);
    run();
  };
  return [
    [
      { label: "Terminal to the right", icon: Columns2, command: "terminal.split.right", run: open("right") },
      { label: "Terminal below", icon: Rows2, command: "terminal.split.below", run: open("below") },
    ],
    [
      {
        label: dock?.zoomed ? "Leave the zoom" : "Zoom the pane",
        icon: Maximize2,
        command: "pane.zoom",
        run: onDock(() => dock?.toggleZoom()),
      },
      {
        label: "Float, or dock again",
        icon: PanelTop,
        command: "pane.float",
        run: onDock(() => dock?.toggleFloat()),
      },
      {
        label: "Rename",
        icon: Pencil,
        command: "tab.rename",
        run: () => session.ui.setState({ renaming: block }),
      },
      {
        label: "Restart the program",
        icon: RotateCw,
        command: "block.restart",
        run: () => session.try("It could not be restarted", session.restart(block)),
      },
    ],
    others.map((w) => ({
      label: `Move to ${w.name}`,
      icon: ArrowLeftRight,
      run: () =>
        session.try(
          "It could not be moved",
          session.moveBlock(block, { workspace: w.id, pane: "", side: "center", index: -1 }),
        ),
    })),
    [
      {
        label: "Close",
        icon: X,
        command: "tab.close",
        danger: true,
        run: () => session.try("It could not be closed", session.closeBlock(block)),
      },
    ],
  ];
}
