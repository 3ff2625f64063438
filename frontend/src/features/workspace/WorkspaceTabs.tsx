import { Plus } from "lucide-react";
import { type DragEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useKnown } from "../../bridge/context";
import { urgentState } from "../../bridge/describe";
import { cx } from "../../lib/format";
import { IconButton } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { type MenuGroups, PopMenu } from "../../ui/Menu";
import { StateGlyph } from "../../ui/StateGlyph";
import { useSession, useWorkspaceUi } from "./context";
import { draggedBlock, endBlockDrag } from "./drag";
import { panesOf } from "./layout";
import { RenameBox } from "./RenameBox";

const tabType = "application/x-drover-workspace";

/** Keeps the active tab in view, and says at which edges there is more of the row. */
function useRow(row: RefObject<HTMLDivElement | null>, active: string, tabs: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: tabs that come, go or are renamed move the row
  useEffect(() => {
    const el = row.current;
    if (!el) return;
    const look = () => {
      el.toggleAttribute("data-before", el.scrollLeft > 1);
      el.toggleAttribute("data-after", el.scrollLeft + el.clientWidth < el.scrollWidth - 1);
    };
    const show = () => {
      // In the middle if it must move at all, so that the faded edges never lie on it.
      const tab = el.querySelector<HTMLElement>(".wtab.on");
      if (!tab) return;
      const at = tab.offsetLeft - el.offsetLeft;
      const edge = 30;
      if (at - edge < el.scrollLeft || at + tab.offsetWidth + edge > el.scrollLeft + el.clientWidth) {
        el.scrollLeft = at - (el.clientWidth - tab.offsetWidth) / 2;
      }
      look();
    };
    show();
    const observer = new ResizeObserver(show);
    observer.observe(el);
    el.addEventListener("scroll", look);
    return () => {
      observer.disconnect();
      el.removeEventListener("scroll", look);
    };
  }, [row, active, tabs]);
}

/** The workspaces as tabs: chosen, renamed, put in order; a dragged pane may be dropped on one. */
export function WorkspaceTabs() {
  const session = useSession();
  const commands = useCommands();
  const workspaces = useKnown((k) => k.model.workspaces);
  const active = useKnown((k) => k.model.active);
  const statuses = useKnown((k) => k.statuses);
  const renaming = useWorkspaceUi((ui) => ui.renaming);
  const [over, setOver] = useState("");
  const row = useRef<HTMLDivElement>(null);
  useRow(row, active, workspaces.map((w) => `${w.id} ${w.name}`).join());
  const go = (id: string) => {
    commands.uncover();
    session.try("That workspace could not be shown", session.activate(id));
  };
  const drop = (e: DragEvent, id: string) => {
    setOver("");
    const block = draggedBlock();
    const tab = e.dataTransfer.getData(tabType);
    endBlockDrag();
    if (block !== undefined) {
      e.preventDefault();
      const place = { workspace: id, pane: "", side: "center", index: -1 } as const;
      session.try("It could not be moved", session.moveBlock(block, place));
    } else if (tab) {
      e.preventDefault();
      session.try("The tabs could not be put in order", session.reorder(tab, id));
    }
  };
  const menu = (id: string) => (): MenuGroups => [
    [
      { label: "Rename", command: "workspace.rename", run: () => session.ui.setState({ renaming: id }) },
      {
        label: "Close",
        command: "workspace.close",
        danger: true,
        run: () => session.try("It could not be closed", session.closeWorkspace(id)),
      },
    ],
  ];
  return (
    <div className="wtabs">
      <div
        ref={row}
        className="wtab-row"
        role="tablist"
        aria-label="Workspaces"
        onWheel={(e) => {
          if (e.deltaX === 0) e.currentTarget.scrollLeft += e.deltaY;
        }}
      >
        {workspaces.map((w, i) => {
          const state = urgentState(
            panesOf(w.layout).flatMap((p) => p.blocks),
            statuses,
          );
          if (renaming === w.id) {
            return (
              <span key={w.id} className="wtab on">
                <RenameBox id={w.id} name={w.name} label="Name of the workspace" />
              </span>
            );
          }
          return (
            <PopMenu key={w.id} groups={menu(w.id)}>
              <button
                type="button"
                role="tab"
                aria-selected={w.id === active}
                tabIndex={w.id === active ? 0 : -1}
                className={cx("wtab", w.id === active && "on", over === w.id && "over")}
                draggable
                title={w.dir ? `${w.name}\n${w.dir}` : w.name}
                onClick={() => go(w.id)}
                onDoubleClick={() => session.ui.setState({ renaming: w.id })}
                onAuxClick={(e) => {
                  if (e.button === 1) session.try("It could not be closed", session.closeWorkspace(w.id));
                }}
                onKeyDown={(e) => {
                  const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
                  const next = step && workspaces[(i + step + workspaces.length) % workspaces.length];
                  if (next) go(next.id);
                  if (e.key === "F2") session.ui.setState({ renaming: w.id });
                }}
                onDragStart={(e) => e.dataTransfer.setData(tabType, w.id)}
                onDragOver={(e) => {
                  if (draggedBlock() === undefined && !e.dataTransfer.types.includes(tabType)) return;
                  e.preventDefault();
                  setOver(w.id);
                }}
                onDragLeave={() => setOver("")}
                onDrop={(e) => drop(e, w.id)}
              >
                {state && state !== "idle" && <StateGlyph state={state} small />}
                <span className="cut">{w.name}</span>
              </button>
            </PopMenu>
          );
        })}
      </div>
      <IconButton
        icon={Plus}
        name="New workspace"
        command="workspace.new"
        onClick={() => commands.run("workspace.new")}
      />
    </div>
  );
}
