import {
  ChevronDown,
  ChevronRight,
  CircleStop,
  Laptop,
  Plus,
  RotateCw,
  Server,
  Undo2,
  X,
} from "lucide-react";
import { type CSSProperties, memo, useState } from "react";
import { bytesText, cpuText, cx } from "../../lib/format";
import { IconButton } from "../../ui/Button";
import { StateGlyph } from "../../ui/StateGlyph";
import type { TreeRow } from "./model";

export interface RowActions {
  toggle: (row: TreeRow) => void;
  open: (row: TreeRow) => void;
  port: (port: number) => void;
  newTerminal: (row: TreeRow) => void;
  undo: (row: TreeRow) => void;
  restart: (row: TreeRow) => void;
  close: (row: TreeRow) => void;
  end: (row: TreeRow) => void;
  drag: (event: Event, row: TreeRow) => void;
  dragEnd: () => void;
}

export interface RowProps {
  row: TreeRow;
  domId: string;
  focused: boolean;
  selected: boolean;
  style: CSSProperties;
  actions: RowActions;
}

/** The actions of a row, in place of its figures while the pointer is there. */
function Actions({ row, actions }: { row: TreeRow; actions: RowActions }) {
  const stop = (run: (row: TreeRow) => void) => (e: { stopPropagation(): void }) => {
    e.stopPropagation();
    run(row);
  };
  return (
    <span className="row-acts">
      {row.kind === "workspace" && (
        <IconButton
          icon={Plus}
          name="Open a terminal here"
          tabIndex={-1}
          onClick={stop(actions.newTerminal)}
        />
      )}
      {row.closing && (
        <IconButton icon={Undo2} name="Bring it back" tabIndex={-1} onClick={stop(actions.undo)} />
      )}
      {row.kind === "block" && row.state !== "stopping" && (
        <IconButton icon={RotateCw} name="Restart" tabIndex={-1} onClick={stop(actions.restart)} />
      )}
      {row.kind === "process" && (
        <IconButton icon={CircleStop} name="End it" tabIndex={-1} onClick={stop(actions.end)} />
      )}
      {(row.kind === "block" || row.kind === "workspace") && (
        <IconButton
          icon={X}
          name={row.closing ? "End it now" : "Close"}
          tabIndex={-1}
          onClick={stop(actions.close)}
        />
      )}
    </span>
  );
}

// Deeper trees go on, without more lines.
const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

export const TreeRowView = memo(function TreeRowView(props: RowProps) {
  const { row, domId, focused, selected, style, actions } = props;
  const Twisty = row.expanded ? ChevronDown : ChevronRight;
  const guides = Math.max(0, row.depth - 1);
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    <div
      id={domId}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-expanded={row.expanded}
      aria-selected={selected}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      title={[row.label, row.detail, row.command].filter(Boolean).join("\n")}
      className={cx("row", `k-${row.kind}`, selected && "sel", focused && "at")}
      style={{ ...style, "--d": row.depth } as CSSProperties}
      draggable={row.kind === "block" && !row.closing}
      onDragStart={(e) => actions.drag(e.nativeEvent, row)}
      onDragEnd={actions.dragEnd}
      onClick={() => actions.open(row)}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
    >
      {levels.slice(0, guides).map((l) => (
        <i key={l} className="g" style={{ "--l": l } as CSSProperties} />
      ))}
      {row.expanded === undefined ? (
        <span className="tw" />
      ) : (
        <button
          type="button"
          className="tw"
          tabIndex={-1}
          aria-label={row.expanded ? "Fold" : "Unfold"}
          onClick={(e) => {
            e.stopPropagation();
            actions.toggle(row);
          }}
        >
          <Twisty className="ic sz" aria-hidden />
        </button>
      )}
      {row.kind === "host" &&
        (row.id === "host:local" ? (
          <Laptop className="ic sz" aria-hidden />
        ) : (
          <Server className="ic sz" aria-hidden />
        ))}
      {row.state && <StateGlyph state={row.state} small />}
      <span className="grow cut">
        <span className="n">{row.label}</span>
        {row.ports.map((port) => (
          <button
            type="button"
            key={port}
            className="link port"
            tabIndex={-1}
            aria-label={`Open port ${port}`}
            onClick={(e) => {
              e.stopPropagation();
              actions.port(port);
            }}
          >
            :{port}
          </button>
        ))}
        {row.detail && <span className="d">{row.detail}</span>}
      </span>
      {row.roll.length > 0 && (
        <span className="roll">
          {row.roll.map((r) => (
            <span key={r.state}>
              <StateGlyph state={r.state} />
              {r.count}
            </span>
          ))}
        </span>
      )}
      {row.measured && (
        <span className={cx("m", row.hot && "hot")}>
          <span>{cpuText(row.cpu)}</span>
          <span>{bytesText(row.memory)}</span>
        </span>
      )}
      {row.kind !== "host" && (over || focused) && <Actions row={row} actions={actions} />}
    </div>
  );
});
