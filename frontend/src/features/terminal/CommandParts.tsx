// What the view shows of a shell's commands: the marks in the margin, the menu
// of one, and the line of the one whose output is in view.

import { Copy, History, RotateCcw, TextSelect } from "lucide-react";
import { useEffect, useRef } from "react";
import { useCommands } from "../../ui/commands";
import { MenuAt } from "../../ui/Menu";
import { outcomeText } from "./margin";
import type { CommandMenu, StickyCommand } from "./pane-commands";
import type { PaneModel } from "./pane-model";

/** Where the rows of the screen begin, as .term-screen has it. */
const TOP = 4;

export function MarginView({ model }: { model: PaneModel }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? model.commands.showIn(element.current) : undefined), [model]);
  return <div className="term-margin" ref={element} />;
}

export function CommandMenuView({ menu, model }: { menu: CommandMenu; model: PaneModel }) {
  const registry = useCommands();
  const { command, top } = menu;
  const { commands } = model;
  return (
    <MenuAt
      left={14}
      top={top + TOP}
      onClose={() => model.closeMenu()}
      head={
        <>
          <code className="block cut">{command.text.split("\n", 1)[0] || "A command"}</code>
          {outcomeText(command)}
        </>
      }
      groups={[
        [
          {
            label: "Copy output",
            icon: TextSelect,
            command: "terminal.copyOutput",
            run: () => commands.copyOutput(command),
          },
          {
            label: "Copy command",
            icon: Copy,
            command: "terminal.copyCommand",
            run: () => commands.copyCommand(command),
          },
        ],
        [
          {
            label: "Run again",
            icon: RotateCcw,
            command: "terminal.runAgain",
            run: () => commands.runAgain(command),
          },
          {
            label: "Command history",
            icon: History,
            command: "history.open",
            run: () => registry.run("history.open"),
          },
        ],
      ]}
    />
  );
}

export function StickyLine({ sticky, model }: { sticky: StickyCommand; model: PaneModel }) {
  const [first, ...more] = sticky.text.split("\n");
  return (
    <button
      type="button"
      className="term-sticky"
      title="Go to this command"
      onClick={() => model.commands.goToSticky()}
    >
      <span className={`term-mark ${sticky.outcome}`} aria-hidden />
      <code className="cut">
        {first}
        {more.length > 0 && " …"}
      </code>
    </button>
  );
}
