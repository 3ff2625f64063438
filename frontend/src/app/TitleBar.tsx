import { Search } from "lucide-react";
import { useStore } from "zustand";
import { useMirror } from "../bridge/context";
import { waitingBlocks } from "../bridge/describe";
import { WorkspaceTabs } from "../features/workspace";
import { Tip } from "../ui/Button";
import { useCommands } from "../ui/commands";
import { CommandKeys } from "../ui/Keys";
import { Mark, StateGlyph } from "../ui/StateGlyph";

function NeedsYou() {
  const commands = useCommands();
  const waiting = useStore(useMirror().store, (k) => waitingBlocks(k.statuses).length);
  return (
    <Tip text={waiting > 0 ? "Go to what needs you" : "Nothing needs you"} command="needs.next">
      <button
        type="button"
        className={waiting > 0 ? "needs" : "needs none"}
        onClick={() => commands.run("needs.next")}
      >
        {waiting > 0 ? (
          <>
            Needs you <span className="n">{waiting}</span>
          </>
        ) : (
          <>
            <StateGlyph state="done" small silent /> Nothing needs you
          </>
        )}
      </button>
    </Tip>
  );
}

export function TitleBar() {
  const commands = useCommands();
  return (
    <header className="title">
      <Mark />
      <WorkspaceTabs />
      <button type="button" className="search" onClick={() => commands.run("palette.open")}>
        <Search className="ic sz" aria-hidden />
        <span className="cut grow text-left">Search, or run a command</span>
        <CommandKeys id="palette.open" />
      </button>
      <span className="grow" />
      <NeedsYou />
    </header>
  );
}
