import { Keyboard, Settings, TriangleAlert } from "lucide-react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useKnown, useMirror } from "../bridge/context";
import { blockDir, rowsByBlock } from "../bridge/describe";
import { problemsOf } from "../features/settings";
import { panesOf, useSession } from "../features/workspace";
import { count, cpuText, memoryOf, middleCut } from "../lib/format";
import { Tip } from "../ui/Button";
import { useCommands } from "../ui/commands";
import { StateGlyph } from "../ui/StateGlyph";

/** Facts about the whole: where you are, how the last close ended, what it all costs. */
export function StatusBar() {
  const commands = useCommands();
  const session = useSession();
  const mirror = useMirror();
  const wrong = problemsOf(
    useKnown((k) => k.settings),
    commands,
  ).length;
  const last = useStore(session.closing.store, (s) => s.last);
  const known = useStore(
    mirror.store,
    useShallow((k) => {
      const ws = k.model.workspaces.find((w) => w.id === k.model.active);
      const front = ws && panesOf(ws.layout).find((p) => p.id === ws.layout.focus)?.active;
      const block = front === undefined ? undefined : k.model.blocks[front];
      return {
        dir: block ? blockDir(block, rowsByBlock(k.activity).get(block.id), k.hello?.home ?? "") : "",
        cpu: k.activity.cpu,
        memory: k.activity.memory,
        total: k.activity.totalMemory,
        trouble: k.trouble,
      };
    }),
  );
  return (
    <footer className="status">
      {known.trouble ? (
        <span className="cut flex items-center gap-1.5" role="alert">
          <StateGlyph state="failed" small />
          Not up to date: {known.trouble}
          <button type="button" className="link" onClick={() => void mirror.start()}>
            Try again
          </button>
        </span>
      ) : (
        <span className="cut">{known.dir ? middleCut(known.dir, 60) : "Ready"}</span>
      )}
      {last && <span className="cut">{last}</span>}
      <span className="grow" />
      <span className="num">CPU {cpuText(known.cpu)}</span>
      <span className="num">{memoryOf(known.memory, known.total)}</span>
      <Tip
        text={wrong > 0 ? `Settings: ${count(wrong, "problem")} in the file` : "Settings"}
        command="settings.open"
      >
        <button type="button" className="st-btn" onClick={() => commands.run("settings.open")}>
          {wrong > 0 ? (
            <TriangleAlert className="ic sz warn" role="img" aria-label={`${count(wrong, "problem")} in`} />
          ) : (
            <Settings className="ic sz" aria-hidden />
          )}
          Settings
        </button>
      </Tip>
      <Tip text="All commands and their keys" command="keys.show">
        <button type="button" className="st-btn" onClick={() => commands.run("keys.show")}>
          <Keyboard className="ic sz" aria-hidden />
          Keys
        </button>
      </Tip>
    </footer>
  );
}
