import { Command, FolderOpen, type LucideIcon, SquareTerminal } from "lucide-react";
import { useKnown } from "../../bridge/context";
import type { Workspace } from "../../bridge/types";
import { tildePath } from "../../lib/format";
import { useCommands } from "../../ui/commands";
import { CommandKeys } from "../../ui/Keys";

interface Row {
  command: string;
  icon: LucideIcon;
  title: string;
  text: string;
}

/** What stands where no pane is: the ways to begin. */
export function FirstRun({ workspace }: { workspace: Workspace | undefined }) {
  const commands = useCommands();
  const hello = useKnown((k) => k.hello);
  const shell = hello?.shell.split(/[\\/]/).at(-1) || "your shell";
  const dir = workspace?.dir ? tildePath(workspace.dir, hello?.home ?? "") : "your home folder";
  const rows: Row[] = [
    { command: "terminal.open", icon: SquareTerminal, title: "Open a terminal", text: `${shell}, in ${dir}` },
    {
      command: "workspace.folder",
      icon: FolderOpen,
      title: "Open a folder",
      text: "Its terminals start there",
    },
    {
      command: "palette.open",
      icon: Command,
      title: "Find any command",
      text: "The one key worth remembering",
    },
  ];
  return (
    <section className="first" aria-label="Start something">
      <div>
        <h1>Start something</h1>
        <p className="lead">
          Terminals run side by side here, and the swarm at the left shows what each one does.
        </p>
        <h2>Begin here</h2>
        <ul>
          {rows.map((row, i) => (
            <li key={row.command}>
              <button
                type="button"
                className="start"
                // biome-ignore lint/a11y/noAutofocus: an empty workspace has nothing else to type into
                autoFocus={i === 0}
                onClick={() => commands.run(row.command)}
              >
                <row.icon className="ic" aria-hidden />
                <span className="grow min-w-0">
                  <span className="block">{row.title}</span>
                  <span className="cut block text-small t3">{row.text}</span>
                </span>
                <CommandKeys id={row.command} />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
