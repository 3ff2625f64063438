import "./swarm.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronsDownUp, Plus, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useMirror } from "../../bridge/context";
import { IconButton } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { Field } from "../../ui/Field";
import { endBlockDrag, paneWith, startBlockDrag, useSession } from "../workspace";
import { foldableIds, keepSame, type TreeRow, treeKey, treeRows, typeAhead } from "./model";
import { type RowActions, TreeRowView } from "./TreeRowView";

const rowHeight = 23;
/** Milliseconds within which typed letters belong together. */
const typingPause = 700;

/** Everything that runs: hosts, workspaces, blocks, processes. */
export function SwarmTree() {
  const session = useSession();
  const mirror = useMirror();
  const commands = useCommands();
  const known = useStore(
    mirror.store,
    useShallow(({ model, statuses, activity, hello, leaving, closings }) => ({
      model,
      statuses,
      activity,
      hello,
      leaving,
      closings,
    })),
  );
  const base = useId();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState<string>();
  const [focused, setFocused] = useState("");
  const [inside, setInside] = useState(false);
  const scroll = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const drawn = useRef<TreeRow[]>([]);
  const rows = useMemo(
    () => keepSame(drawn.current, treeRows(known, folded, filter)),
    [known, folded, filter],
  );
  useEffect(() => {
    drawn.current = rows;
  });
  const selected = useMemo(() => selectedRow(known.model), [known.model]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (i) => rows[i]?.id ?? i,
    overscan: 12,
    initialRect: { width: 300, height: 600 },
  });

  const fold = (id: string, on: boolean) =>
    setFolded((old) => {
      const next = new Set(old);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  const show = (row: TreeRow) => {
    setFocused(row.id);
    if (row.block) session.focusBlock(row.block);
    else if (row.kind === "workspace") {
      session.try("That workspace could not be shown", session.activate(row.workspace));
    } else fold(row.id, row.expanded === true);
  };
  const end = async (row: TreeRow) => {
    const p = row.process;
    if (p) await mirror.api.activity.end({ process: p.id, force: false });
  };
  // The rows are memoized: one object that always acts on the newest state.
  const latest: RowActions = {
    toggle: (row) => fold(row.id, row.expanded === true),
    open: show,
    port: (port) =>
      session.try("The link could not be opened", mirror.api.app.openLink(`http://localhost:${port}`)),
    newTerminal: (row) =>
      session.try(
        "No terminal could be opened",
        session.activate(row.workspace).then(() => session.openTerminal({ side: "center" })),
      ),
    undo: (row) => session.try("It could not be brought back", session.closing.undo(row.closing)),
    restart: (row) => session.try("It could not be restarted", session.restart(row.block)),
    close: (row) =>
      session.try(
        "It could not be closed",
        row.kind === "workspace" ? session.closeWorkspace(row.workspace) : session.closeBlock(row.block),
      ),
    end: (row) => session.try(`${row.label} could not be ended`, end(row)),
    drag: (event, row) => startBlockDrag(event, row.block),
    dragEnd: endBlockDrag,
  };
  const newest = useRef(latest);
  useEffect(() => {
    newest.current = latest;
  });
  const actions = useMemo<RowActions>(
    () => ({
      toggle: (row) => newest.current.toggle(row),
      open: (row) => newest.current.open(row),
      port: (port) => newest.current.port(port),
      newTerminal: (row) => newest.current.newTerminal(row),
      undo: (row) => newest.current.undo(row),
      restart: (row) => newest.current.restart(row),
      close: (row) => newest.current.close(row),
      end: (row) => newest.current.end(row),
      drag: (event, row) => newest.current.drag(event, row),
      dragEnd: () => newest.current.dragEnd(),
    }),
    [],
  );

  const focusRow = (id: string) => {
    setFocused(id);
    virtual.scrollToIndex(rows.findIndex((r) => r.id === id));
  };
  const keyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const move = treeKey(rows, focused, e.key);
    const row = move && rows.find((r) => r.id === move.id);
    if (move && row) {
      e.preventDefault();
      if (move.do === "focus") focusRow(move.id);
      else if (move.do === "open") show(row);
      else fold(move.id, move.do === "fold");
      return;
    }
    const at = rows.find((r) => r.id === focused);
    if (e.key === "Delete" && at && (at.kind === "block" || at.kind === "workspace")) actions.close(at);
    if (e.key.length !== 1 || e.key === " ") return;
    const now = e.timeStamp;
    const text = now - typed.current.at > typingPause ? e.key : typed.current.text + e.key;
    typed.current = { text, at: now };
    const found = typeAhead(rows, focused, text);
    if (found) focusRow(found);
  };
  const at = rows.findIndex((r) => r.id === focused);
  return (
    <aside className="tree" aria-label="Swarm" data-part="tree">
      <div className="tree-head">
        <h2 className="grow">Swarm</h2>
        <IconButton
          icon={Search}
          name="Filter"
          on={filter !== undefined}
          onClick={() => setFilter((old) => (old === undefined ? "" : undefined))}
        />
        <IconButton
          icon={ChevronsDownUp}
          name="Collapse all"
          onClick={() => setFolded(new Set(foldableIds(known)))}
        />
        <IconButton
          icon={Plus}
          name="New terminal"
          command="terminal.new"
          onClick={() => commands.run("terminal.new")}
        />
      </div>
      {filter !== undefined && (
        <Field
          box="mx-2 mb-1"
          icon={Search}
          aria-label="Filter the tree"
          placeholder="Name, folder, program"
          value={filter}
          autoFocus
          onChange={(e) => setFilter(e.target.value)}
          onKeyDown={(e) => {
            if (e.key === "Escape") setFilter(undefined);
          }}
          after={<IconButton icon={X} name="Leave the filter" onClick={() => setFilter(undefined)} />}
        />
      )}
      <div
        ref={scroll}
        className="rows"
        role="tree"
        aria-label="Swarm"
        tabIndex={0}
        aria-activedescendant={at >= 0 ? `${base}-${at}` : undefined}
        onKeyDown={keyDown}
        onFocus={() => {
          setInside(true);
          if (at < 0) setFocused(rows.find((r) => r.id === selected)?.id ?? rows[0]?.id ?? "");
        }}
        onBlur={() => setInside(false)}
      >
        <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <TreeRowView
                key={item.key}
                row={row}
                domId={`${base}-${item.index}`}
                focused={inside && row.id === focused}
                selected={row.id === selected}
                // Not a transform: each would be a piece of its own for the compositor, again with every frame.
                style={{ top: item.start }}
                actions={actions}
              />
            );
          })}
        </div>
        {Object.keys(known.model.blocks).length === 0 && (
          <p className="tree-empty">Every terminal shows up here, with what it does now.</p>
        )}
        {filter && rows.length === 0 && <p className="tree-empty">Nothing here has “{filter}” in it.</p>}
      </div>
    </aside>
  );
}

/** The row of the block that has the focus in the active workspace. */
function selectedRow(model: ReturnType<typeof useSession>["mirror"]["known"]["model"]): string {
  const ws = model.workspaces.find((w) => w.id === model.active);
  if (!ws) return "";
  for (const block of Object.values(model.blocks)) {
    const pane = block.workspace === ws.id ? paneWith(ws.layout, block.id) : undefined;
    if (pane && pane.id === ws.layout.focus && pane.active === block.id) return `block:${block.id}`;
  }
  return "";
}
