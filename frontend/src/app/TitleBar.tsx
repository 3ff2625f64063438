import { Search } from "lucide-react";
import { NeedsButton } from "../features/needs";
import { WorkspaceTabs } from "../features/workspace";
import { useCommands } from "../ui/commands";
import { CommandKeys } from "../ui/Keys";
import { Mark } from "../ui/StateGlyph";

export function TitleBar() {
  const commands = useCommands();
  return (
    <header className="title">
      <div className="at-start">
        <Mark />
        <WorkspaceTabs />
      </div>
      <button type="button" className="search" onClick={() => commands.run("palette.open")}>
        <Search className="ic sz" aria-hidden />
        <span className="cut grow text-left">Search, or run a command</span>
        <CommandKeys id="palette.open" />
      </button>
      <div className="at-end">
        <NeedsButton />
      </div>
    </header>
  );
}
