import type { Command, CommandRegistry } from "../../lib/commands";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { fileNameFor } from "../terminal";
import type { WorkspaceSession } from "../workspace";

/** The commands of recordings; `play` opens the dialogue with a path to begin with. */
export function registerRecordingCommands(
  registry: CommandRegistry,
  session: WorkspaceSession,
  play: (path: string) => void,
): Disposable {
  const { mirror, toasts } = session;
  let last = "";
  const commands: Command[] = [
    {
      id: "terminal.record",
      title: "Save a recording",
      group: "Terminal",
      words: "record asciicast asciinema cast export output",
      panes: "acts",
      detail: () => (session.block ? `of all that ${session.nameOf(session.block.id)} has kept` : ""),
      when: () => session.block !== undefined,
      run: async () => {
        const { block } = session;
        if (!block) return;
        const name = fileNameFor(session.nameOf(block.id), new Date());
        last = await mirror.api.terminals.record({ block: block.id, name, from: 0, to: 0 });
        // A browser may be on another machine than the file.
        const where = mirror.known.hello?.browser ? ", where Drover runs" : "";
        toasts.show({
          level: "info",
          title: "The recording is saved",
          text: `${last}${where}`,
          life: 15_000,
        });
      },
    },
    {
      id: "recording.play",
      title: "Play a recording…",
      group: "Terminals",
      words: "asciicast asciinema cast replay watch",
      panes: "shows",
      detail: () => "in a new terminal",
      when: () => Boolean(mirror.known.hello?.binary),
      run: () => play(last),
    },
  ];
  const store = new DisposableStore();
  for (const command of commands) store.add(registry.register(command));
  return store;
}
