import type { Command, CommandRegistry } from "../../lib/commands";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import type { Direction } from "./beside";
import type { WorkspaceSession } from "./session";

const step = 40; // pixels

/** The commands of workspaces, panes and terminals. */
export function registerWorkspaceCommands(registry: CommandRegistry, session: WorkspaceSession): Disposable {
  const hasBlock = () => session.block !== undefined;
  const mayHaveBlock = () => hasBlock() || session.making;
  const hasWorkspace = () => session.active !== undefined;
  const blockName = () => (session.block ? session.nameOf(session.block.id) : "");
  const onBlock = (run: (id: string) => void | Promise<void>) => () => {
    const block = session.block;
    return block ? run(block.id) : undefined;
  };
  const toward = (direction: Direction, key: string): Command[] => [
    {
      id: `pane.focus.${direction}`,
      title: `Focus the pane ${where[direction]}`,
      group: "Panes",
      panes: "shows",
      keys: [`Ctrl+Alt+${key}`, `Alt+Shift+${key}`],
      when: hasBlock,
      run: () => session.dock?.focusToward(direction),
    },
    {
      id: `tab.move.${direction}`,
      title: `Move the tab ${moved[direction]}`,
      group: "Panes",
      panes: "shows",
      keys: [`Ctrl+Alt+Shift+${key}`],
      when: hasBlock,
      run: () => session.dock?.moveToward(direction),
    },
  ];
  const resize = (id: string, title: string, key: string, dx: number, dy: number): Command => ({
    id: `pane.${id}`,
    title,
    group: "Panes",
    panes: "acts",
    keys: [`Ctrl+Alt+${key}`],
    when: hasBlock,
    run: () => session.dock?.resize(dx, dy),
  });
  const commands: Command[] = [
    {
      id: "terminal.open",
      title: "Open a terminal",
      group: "Terminals",
      words: "new tab shell create",
      panes: "shows",
      keys: ["Mod+Shift+T", "Mod+T"],
      detail: () => `in ${session.active?.name ?? "a new workspace"}`,
      run: async () => void (await session.openTerminal({ side: "center" })),
    },
    {
      id: "terminal.new",
      title: "New terminal…",
      group: "Terminals",
      words: "tab shell create command folder",
      panes: "shows",
      keys: ["Mod+Shift+N"],
      detail: () => "folder, shell, command, name",
      run: () => session.ui.setState({ newTerminal: { side: "center" } }),
    },
    {
      id: "terminal.split.right",
      title: "Open a terminal to the right",
      group: "Terminals",
      words: "split pane vertical new",
      panes: "shows",
      keys: ["Mod+Shift+D"],
      when: mayHaveBlock,
      run: async () => void (await session.openTerminal({ side: "right" })),
    },
    {
      id: "terminal.split.below",
      title: "Open a terminal below",
      group: "Terminals",
      words: "split pane horizontal new",
      panes: "shows",
      keys: ["Mod+Shift+E"],
      when: mayHaveBlock,
      run: async () => void (await session.openTerminal({ side: "below" })),
    },
    {
      id: "block.restart",
      title: "Restart the program",
      group: "Terminals",
      words: "start again rerun",
      panes: "acts",
      keys: ["Mod+Shift+R"],
      detail: blockName,
      when: hasBlock,
      run: onBlock((id) => session.restart(id)),
    },
    {
      id: "tab.close",
      title: "Close the tab",
      group: "Panes",
      words: "kill end quit terminal pane",
      panes: "closes",
      keys: ["Mod+Shift+W"],
      detail: blockName,
      when: hasBlock,
      run: onBlock((id) => session.closeBlock(id)),
    },
    {
      id: "tab.rename",
      title: "Rename the tab",
      group: "Panes",
      words: "name title",
      panes: "acts",
      keys: ["Mod+Shift+F2", "F2"],
      detail: blockName,
      when: hasBlock,
      run: onBlock((id) => session.ui.setState({ renaming: id })),
    },
    {
      id: "close.undo",
      title: "Bring back what was closed last",
      group: "Panes",
      words: "undo reopen restore",
      panes: "shows",
      keys: ["Mod+Shift+Z"],
      when: () => session.closing.undoable.length > 0,
      run: () => session.closing.undoLast(),
    },
    {
      id: "tab.next",
      title: "Next tab",
      group: "Panes",
      panes: "shows",
      keys: ["Ctrl+Tab", "Ctrl+PageDown"],
      when: hasBlock,
      run: () => session.dock?.nextTab(1),
    },
    {
      id: "tab.previous",
      title: "Previous tab",
      group: "Panes",
      panes: "shows",
      keys: ["Ctrl+Shift+Tab", "Ctrl+PageUp"],
      when: hasBlock,
      run: () => session.dock?.nextTab(-1),
    },
    {
      id: "pane.zoom",
      title: "Zoom the pane",
      group: "Panes",
      words: "maximize full screen",
      panes: "shows",
      keys: ["Mod+Shift+Enter"],
      when: hasBlock,
      run: () => session.dock?.toggleZoom(),
    },
    {
      id: "pane.float",
      title: "Float the tab, or dock it again",
      group: "Panes",
      words: "detach window",
      panes: "shows",
      keys: ["Mod+Shift+U"],
      when: hasBlock,
      run: () => session.dock?.toggleFloat(),
    },
    ...toward("left", "ArrowLeft"),
    ...toward("right", "ArrowRight"),
    ...toward("up", "ArrowUp"),
    ...toward("down", "ArrowDown"),
    resize("wider", "Make the pane wider", "PageUp", step, 0),
    resize("narrower", "Make the pane narrower", "PageDown", -step, 0),
    resize("taller", "Make the pane taller", "Home", 0, step),
    resize("shorter", "Make the pane shorter", "End", 0, -step),
    {
      id: "workspace.new",
      title: "New workspace",
      group: "Workspaces",
      words: "create project",
      panes: "shows",
      keys: ["Mod+Shift+S"],
      run: async () => void (await session.createWorkspace("", "")),
    },
    {
      id: "workspace.folder",
      title: "Open a folder as a workspace…",
      group: "Workspaces",
      words: "project directory",
      panes: "shows",
      keys: ["Mod+Shift+O", "Mod+O"],
      run: () => session.ui.setState({ openFolder: true }),
    },
    {
      id: "workspace.rename",
      title: "Rename the workspace",
      group: "Workspaces",
      words: "name title",
      detail: () => session.active?.name ?? "",
      when: hasWorkspace,
      run: () => session.ui.setState({ renaming: session.active?.id ?? "" }),
    },
    {
      id: "workspace.close",
      title: "Close the workspace",
      group: "Workspaces",
      words: "kill end quit delete",
      panes: "shows",
      detail: () => session.active?.name ?? "",
      when: hasWorkspace,
      run: async () => {
        if (session.active) await session.closeWorkspace(session.active.id);
      },
    },
    {
      id: "workspace.next",
      title: "Next workspace",
      group: "Workspaces",
      words: "switch",
      panes: "shows",
      keys: ["Ctrl+Shift+ArrowRight"],
      when: hasWorkspace,
      run: () => session.step(1),
    },
    {
      id: "workspace.previous",
      title: "Previous workspace",
      group: "Workspaces",
      words: "switch",
      panes: "shows",
      keys: ["Ctrl+Shift+ArrowLeft"],
      when: hasWorkspace,
      run: () => session.step(-1),
    },
  ];
  const store = new DisposableStore();
  for (const command of commands) store.add(registry.register(command));
  return store;
}

const where: Record<Direction, string> = {
  left: "at the left",
  right: "at the right",
  up: "above",
  down: "below",
};

const moved: Record<Direction, string> = {
  left: "to the left",
  right: "to the right",
  up: "up",
  down: "down",
};
