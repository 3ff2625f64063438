import type { IDockviewPanelHeaderProps } from "dockview-react";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useKnown, useMirror } from "../../bridge/context";
import {
  blockCommand,
  blockDir,
  blockName,
  endText,
  progressOf,
  rowsByBlock,
  stateOf,
} from "../../bridge/describe";
import { middleCut } from "../../lib/format";
import { stateWords } from "../../lib/state";
import { PopMenu } from "../../ui/Menu";
import { ProgressLine } from "../../ui/ProgressLine";
import { StateGlyph } from "../../ui/StateGlyph";
import { blockMenu } from "./blockMenu";
import { useSession, useWorkspaceUi } from "./context";
import { RenameBox } from "./RenameBox";

/** The tab of a block: its state, its name, where it is. */
export function PaneTab({ api, params }: IDockviewPanelHeaderProps<{ block: string }>) {
  const id = params.block;
  const session = useSession();
  const renaming = useWorkspaceUi((ui) => ui.renaming === id);
  const { name, line, dir, state, why } = useStore(
    useMirror().store,
    useShallow((known) => {
      const block = known.model.blocks[id];
      const status = known.statuses[id];
      const row = rowsByBlock(known.activity).get(id);
      return {
        name: block ? blockName(block, status, row, known.terminals[id]) : "",
        line: block ? blockCommand(block) : "",
        dir: block ? blockDir(block, row, known.hello?.home ?? "") : "",
        state: stateOf(status),
        why: endText(status),
      };
    }),
  );
  const status = useKnown((known) => known.statuses[id]);
  const said = useKnown((known) => known.terminals[id]);
  const progress = progressOf(status, said);
  useEffect(() => {
    if (name) api.setTitle(name);
  }, [api, name]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The tab in front is in view, however narrow its pane is or becomes.
    const look = () => {
      if (api.isVisible) box.current?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    };
    const frame = requestAnimationFrame(look);
    const subs = [api.onDidVisibilityChange(look), api.onDidDimensionsChange(look)];
    return () => {
      cancelAnimationFrame(frame);
      for (const sub of subs) sub.dispose();
    };
  }, [api]);
  const close = () => session.try(`${name} could not be closed`, session.closeBlock(id));
  return (
    <PopMenu groups={() => blockMenu(session, id)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dockview's element around it is the tab */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: whoever uses keys has them in the pane already */}
      <div
        ref={box}
        className="tab"
        title={[[name, stateWords[state], why, progress?.words].filter(Boolean).join(" · "), line, dir]
          .filter(Boolean)
          .join("\n")}
        onClick={() => {
          // The tab in front took the keys from its own pane.
          if (!renaming) session.focusBlock(id);
        }}
        onDoubleClick={() => session.ui.setState({ renaming: id })}
        onAuxClick={(e) => {
          if (e.button === 1) close();
        }}
      >
        <StateGlyph state={state} small />
        {renaming ? (
          <RenameBox id={id} name={name} label="Name of the tab" />
        ) : (
          <>
            <span className="nm cut">{name}</span>
            <span className="where cut">{middleCut(dir, 26)}</span>
          </>
        )}
        <button
          type="button"
          className="x"
          aria-label={`Close ${name}`}
          tabIndex={-1}
          onPointerDown={(e) => e.stopPropagation()}
          onClick={(e) => {
            e.stopPropagation();
            close();
          }}
        >
          <X className="ic sz" aria-hidden />
        </button>
        {progress && <ProgressLine progress={progress} />}
      </div>
    </PopMenu>
  );
}
