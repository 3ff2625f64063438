import "./dock.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { CircleStop, RotateCw, SquareArrowOutUpRight } from "lucide-react";
import {
  type CSSProperties,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useMirror } from "../../bridge/context";
import { ageText, bytesText, cpuText } from "../../lib/format";
import { Button, IconButton } from "../../ui/Button";
import { StateGlyph } from "../../ui/StateGlyph";
import { useSession } from "../workspace";
import {
  type EndedRow,
  endedRows,
  type History,
  type RunningRow,
  runningRows,
  sparkOf,
  withSample,
} from "./model";

const rowHeight = 23;
const mostRows = 50;

function SparkLine({ values }: { values: readonly number[] }) {
  const spark = sparkOf(values);
  if (!spark) return <span className="spark" />;
  return (
    <svg className="spark" viewBox="0 0 56 15" role="img" aria-label="CPU over the last seconds">
      <path className="fill" d={spark.fill} />
      <path d={spark.line} />
      <circle className="dot" cx={spark.end.x} cy={spark.end.y} r="1.6" />
    </svg>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/**
 * A list of rows of which only those in view are drawn: a row is a dozen pieces
 * that the page composes again whenever a terminal draws.
 */
function Rows<T extends { id: string }>(props: {
  rows: readonly T[];
  height: number;
  children: (row: T) => ReactNode;
}) {
  const { rows, height, children } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (i) => rows[i]?.id ?? i,
    overscan: 2,
    initialRect: { width: 600, height },
  });
  const items = virtual.getVirtualItems();
  return (
    <div ref={scroll} className="scroll" style={{ height: `min(${height}px, var(--lane-most, 100vh))` }}>
      <ul style={{ height: virtual.getTotalSize(), paddingTop: items[0]?.start ?? 0 }}>
        {items.map((item) => {
          const row = rows[item.index];
          return row && children(row);
        })}
      </ul>
    </div>
  );
}

interface LaneProps<T> {
  rows: readonly T[];
  height: number;
  now: number;
}

function Running({ rows, history, height, now }: LaneProps<RunningRow> & { history: History }) {
  const session = useSession();
  const { api } = useMirror();
  // Asked once and still there: the next press forces it.
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const stop = async (row: RunningRow) => {
    const force = asked.has(row.id);
    await api.activity.end({ process: row.id, force });
    setAsked(new Set([...asked, row.id]));
  };
  return (
    <Rows rows={rows} height={height}>
      {(row) => (
        <li className="dr" key={row.id} title={row.command}>
          <StateGlyph state={asked.has(row.id) ? "stopping" : row.state} />
          <span className="nm cut">{row.name}</span>
          <span className="ow cut">{row.owner}</span>
          <span className="tail cut">{row.args}</span>
          <span className="pg">
            {row.ports.slice(0, 2).map((port) => (
              <button
                type="button"
                key={port}
                className="link mono"
                onClick={() =>
                  session.try("The link could not be opened", api.app.openLink(`http://localhost:${port}`))
                }
              >
                localhost:{port}
              </button>
            ))}
          </span>
          <SparkLine values={history.get(row.id) ?? []} />
          <span className="cpu">{cpuText(row.cpu)}</span>
          <span className="mem">{bytesText(row.memory)}</span>
          <span className="age">{row.since === undefined ? "–" : ageText(now - row.since)}</span>
          <span className="act">
            <IconButton
              icon={SquareArrowOutUpRight}
              name="Show its pane"
              onClick={() => session.focusBlock(row.block)}
            />
            <IconButton
              icon={CircleStop}
              name={asked.has(row.id) ? "Force it to end" : "Stop"}
              onClick={() => session.try(`${row.name} could not be stopped`, stop(row))}
            />
          </span>
        </li>
      )}
    </Rows>
  );
}

function Ended({ rows, height, now }: LaneProps<EndedRow>) {
  const session = useSession();
  const { api, store } = useMirror();
  const model = useStore(store, (k) => k.model);
  const seen = (row: EndedRow) =>
    session.try("It could not be cleared", api.activity.dismiss({ id: row.id }));
  return (
    <Rows rows={rows} height={height}>
      {(row) => (
        <li className="dr" key={row.id} title={row.detail}>
          <StateGlyph state={row.state} />
          <span className="nm cut">{row.name}</span>
          <span className="ow cut">{row.owner}</span>
          <span className="tail cut">{row.detail}</span>
          <span className="age">{row.at === undefined ? "–" : ageText(now - row.at)}</span>
          <span className="act">
            {row.loud && (
              <Button look="ghost" small onClick={() => seen(row)}>
                Seen
              </Button>
            )}
            {row.canEnd && (
              <IconButton
                icon={CircleStop}
                name="End it"
                onClick={() =>
                  session.try(
                    `${row.name} could not be ended`,
                    api.activity.end({ process: row.process, force: false }),
                  )
                }
              />
            )}
            {!row.canEnd && model.blocks[row.block] && (
              <IconButton
                icon={RotateCw}
                name="Run again"
                onClick={() => session.try("It could not be run again", session.restart(row.block))}
              />
            )}
          </span>
        </li>
      )}
    </Rows>
  );
}

/** What runs in the background, and what ended or is not known. rows is its height; dragging its edge says a new one. */
export function ActivityDock({ rows, onRows }: { rows: number; onRows: (rows: number) => void }) {
  const session = useSession();
  const mirror = useMirror();
  const known = useStore(
    mirror.store,
    useShallow(({ model, statuses, activity }) => ({ model, statuses, activity })),
  );
  const now = useNow();
  const running = useMemo(() => runningRows(known), [known]);
  const ended = useMemo(() => endedRows(known.activity), [known.activity]);
  const [sampled, setSampled] = useState<{ at: unknown; history: History }>({ at: null, history: new Map() });
  // One sample for each snapshot, taken while drawing it.
  if (sampled.at !== known.activity) {
    setSampled({ at: known.activity, history: withSample(sampled.history, running) });
  }
  const [dragged, setDragged] = useState<number>();
  const shownRows = dragged ?? rows;
  const edge = (e: PointerEvent<HTMLElement>) => {
    const from = e.clientY;
    const start = shownRows;
    const target = e.currentTarget;
    target.setPointerCapture(e.pointerId);
    const to = (y: number) => Math.round(Math.min(mostRows, Math.max(1, start + (from - y) / rowHeight)));
    const move = (m: globalThis.PointerEvent) => setDragged(to(m.clientY));
    const up = (m: globalThis.PointerEvent) => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", up);
      setDragged(undefined);
      onRows(to(m.clientY));
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", up);
  };
  const nothing = running.length === 0 && ended.length === 0;
  if (nothing && Object.keys(known.model.blocks).length === 0) {
    return (
      <section className="dock still" aria-label="Activity" data-part="dock">
        Nothing runs in the background.
      </section>
    );
  }
  // As high with one row as with many: a dock that grew with what runs would
  // change the size of every terminal, and programs would draw themselves anew.
  const height = shownRows * rowHeight;
  return (
    <section
      className="dock"
      aria-label="Activity"
      data-part="dock"
      data-lanes={ended.length > 0 && running.length > 0 ? 2 : 1}
      style={{ "--lane-height": `${height}px` } as CSSProperties}
    >
      <hr
        className="dock-edge"
        aria-orientation="horizontal"
        aria-label="Height of the activity dock"
        aria-valuenow={shownRows}
        aria-valuemin={1}
        aria-valuemax={mostRows}
        tabIndex={0}
        onPointerDown={edge}
        onKeyDown={(e) => {
          if (e.key === "ArrowUp") onRows(Math.min(mostRows, rows + 1));
          if (e.key === "ArrowDown") onRows(Math.max(1, rows - 1));
        }}
      />
      {nothing && <p className="lane none">Nothing runs in the background.</p>}
      {running.length > 0 && (
        <div className="lane">
          <header>
            <b>Running</b>
            <span className="num">{running.length}</span>
          </header>
          <Running rows={running} history={sampled.history} height={height} now={now} />
        </div>
      )}
      {ended.length > 0 && (
        <div className="lane ended">
          <header>
            <b>Ended, or not known</b>
            <span className="num">{ended.length}</span>
            <span className="grow" />
            <Button
              look="ghost"
              small
              onClick={() => session.try("The list could not be cleared", mirror.api.activity.dismissAll())}
            >
              Clear
            </Button>
          </header>
          <Ended rows={ended} height={height} now={now} />
        </div>
      )}
    </section>
  );
}
