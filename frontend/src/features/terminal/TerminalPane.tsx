import "@xterm/xterm/css/xterm.css";
import "./terminal.css";
import {
  ArrowDown,
  ClipboardPaste,
  Copy,
  Eraser,
  FileDown,
  OctagonX,
  RotateCw,
  Search,
  TextSelect,
  Type,
} from "lucide-react";
import { createContext, type ReactNode, type RefObject, use, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { cx } from "../../lib/format";
import { type MenuGroups, PopMenu } from "../../ui/Menu";
import { CommandMenuView, MarginView, StickyLine } from "./CommandParts";
import { FindBar } from "./FindBar";
import type { TerminalHost } from "./host";
import { PasteQuestionView } from "./PasteQuestionView";
import { PaneModel } from "./pane-model";
import { StripView } from "./StripView";
import { TextView } from "./TextView";

const HostContext = createContext<TerminalHost | undefined>(undefined);

/** Gives the panes below it what they share. The app makes and disposes the host. */
export function TerminalHostProvider({ host, children }: { host: TerminalHost; children: ReactNode }) {
  return <HostContext value={host}>{children}</HostContext>;
}

export interface TerminalPaneProps {
  blockId: string;
  /** Whether it can be seen; a hidden pane costs nothing. */
  visible: boolean;
  focused: boolean;
}

/** A terminal with its search, its menu and its strips. */
export function TerminalPane({ blockId, visible, focused }: TerminalPaneProps) {
  const host = use(HostContext);
  if (!host) throw new Error("a terminal stands outside TerminalHostProvider");
  const screen = useRef<HTMLDivElement>(null);
  const [model, setModel] = useState<PaneModel>();

  useEffect(() => {
    const made = new PaneModel(host, blockId);
    if (screen.current) made.mount(screen.current);
    setModel(made);
    return () => {
      setModel(undefined);
      made.dispose();
    };
  }, [host, blockId]);
  useEffect(() => {
    if (!model) return;
    const status = host.services.status(blockId);
    const look = () => {
      const state = status.get()?.state;
      model.emulator.setProgramGone(state === "exited" || state === "failed");
    };
    look();
    return status.subscribe(look);
  }, [host, blockId, model]);
  useEffect(() => model?.setVisible(visible), [model, visible]);
  useEffect(() => model?.setFocused(focused && visible), [model, focused, visible]);

  return (
    <section className="term-pane" aria-label={`Terminal ${host.services.nameOf(blockId)}`}>
      {model && <Bar model={model} />}
      <PopMenu groups={() => (model ? menuOf(model) : [])}>
        <Area screen={screen} model={model} />
      </PopMenu>
      {model && <Strips model={model} />}
    </section>
  );
}

// The menu's trigger hands props and a ref to its child, so this takes them.
function Area({
  screen,
  model,
  ...trigger
}: {
  screen: RefObject<HTMLDivElement | null>;
  model: PaneModel | undefined;
}) {
  return (
    <div className="term-area" {...trigger}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the menu from a click that is the program's */}
      <div
        className="term-screen"
        ref={screen}
        onContextMenu={(event) => {
          // The program has the mouse; with Shift it is ours, as for selecting.
          if (event.shiftKey || !model?.programHasMouse) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {model && <Overlays model={model} />}
    </div>
  );
}

function Bar({ model }: { model: PaneModel }) {
  const find = useStore(model.store, (state) => state.find);
  return find ? <FindBar find={find} model={model} /> : null;
}

function Strips({ model }: { model: PaneModel }) {
  const strips = useStore(model.store, (state) => state.strips);
  return strips.map((strip) => (
    <StripView key={strip.title} strip={strip} act={(action) => model.act(action)} />
  ));
}

function Overlays({ model }: { model: PaneModel }) {
  const { scroll, behind, target, bells, question, foreignSize, text, sticky, menu } = useStore(model.store);
  return (
    <>
      <MarginView model={model} />
      {sticky && <StickyLine sticky={sticky} model={model} />}
      {menu && <CommandMenuView menu={menu} model={model} />}
      {bells > 0 && <div key={bells} className="term-bell" aria-hidden />}
      {target !== undefined && (
        <div className="term-target" role="status">
          <span className="cut">{target.url}</span>
          <span className="t3">{target.hint}</span>
        </div>
      )}
      {foreignSize !== undefined && (
        <div className="term-note" role="status">
          {foreignSize}, sized by another window. Type to take over.
        </div>
      )}
      {(scroll.back || behind) && (
        <button type="button" className={cx("btn sm term-newer")} onClick={() => model.toNewest()}>
          <ArrowDown className="ic sz" aria-hidden />
          {newerText(behind ? -1 : scroll.newer)}
        </button>
      )}
      {question && <PasteQuestionView question={question} answer={(answer) => model.answerPaste(answer)} />}
      {text !== undefined && (
        <TextView text={text} close={() => model.textView()} save={() => model.saveText()} />
      )}
    </>
  );
}

function newerText(newer: number): string {
  if (newer < 0) return "Many newer lines";
  if (newer === 0) return "To the bottom";
  return newer === 1 ? "1 newer line" : `${newer} newer lines`;
}

function menuOf(model: PaneModel): MenuGroups {
  const selected = model.emulator.terminal.hasSelection();
  const item = (id: string, label: string, icon: typeof Copy, run: () => void, disabled = false) => ({
    label,
    icon,
    command: `terminal.${id}`,
    disabled,
    run,
  });
  return [
    [
      item("copy", "Copy", Copy, () => model.copy(), !selected),
      item("paste", "Paste", ClipboardPaste, () => model.paste()),
      item("selectAll", "Select all", TextSelect, () => model.selectAll()),
    ],
    [
      item("find", "Find", Search, () => model.find()),
      item("textView", "Show as text", Type, () => model.textView()),
      item("saveText", "Save text", FileDown, () => model.saveText()),
    ],
    [
      item("clear", "Clear", Eraser, () => model.clear()),
      item("interrupt", "Interrupt", OctagonX, () => model.interrupt()),
      item("restart", "Restart", RotateCw, () => model.restart()),
    ],
  ];
}
