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
      <Mark />
      <WorkspaceTabs />
      <button type="button" className="search" onClick={() => commands.run("palette.open")}>
        <Search className="ic sz" aria-hidden />
        <span className="cut grow text-left">Search, or run a command</span>
        <CommandKeys id="palette.open" />
      </button>
      <span className="grow" />
      <NeedsButton />
    </header>
  );
}
