import { type Api, createApi } from "../bridge/api";
import { afterHello, type BoundWindow, boundCall, type Runtime } from "../bridge/bound";
import type { BrowserLink } from "../bridge/browser";
import { Events } from "../bridge/events";
import { Mirror } from "../bridge/mirror";
import { StreamClient } from "../bridge/stream";
import { registerRecordingCommands } from "../features/recordings";
import { TerminalHost, terminalCommands } from "../features/terminal";
import { registerWorkspaceCommands, WorkspaceSession } from "../features/workspace";
import { CommandRegistry } from "../lib/commands";
import { type Disposable, DisposableStore } from "../lib/disposable";
import { errorText } from "../lib/format";
import { Toasts } from "../ui/toasts";
import { registerAppCommands } from "./commands";
import { pageSight, watchHappenings } from "./happenings";
import { watchNotices, watchSettings } from "./notices";
import { coverOf, createShell, type Shell } from "./shell";
import { listenForKeys, refuseDrops } from "./shortcuts";
import { createTerminalServices } from "./terminalServices";
import { followTheme } from "./theme";
import { TypeAhead } from "./typeAhead";

/** Everything that the window is made of, built once and handed down. */
export interface Services extends Disposable {
  readonly api: Api;
  readonly mirror: Mirror;
  readonly toasts: Toasts;
  readonly session: WorkspaceSession;
  readonly commands: CommandRegistry;
  readonly shell: Shell;
  readonly terminals: TerminalHost;
}

/** Whether the page runs on macOS, where chords are written with Command. */
const onMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The composition root: builds every part from a window to which the backend is bound. */
export function createServices(win: BoundWindow & Window, link?: BrowserLink): Services {
  const store = new DisposableStore();
  const api = createApi(afterHello(boundCall(win)));
  const events = store.add(new Events(win.runtime as Runtime));
  const mirror = store.add(new Mirror(api, events, () => win.location.reload()));
  if (link) store.add(link.onState.on((state) => mirror.link(state)));
  const toasts = store.add(new Toasts());
  const session = store.add(new WorkspaceSession(mirror, toasts));
  const shell = createShell();
  const cover = coverOf(shell);
  const commands = store.add(new CommandRegistry(onMac(), cover));
  const stream = new StreamClient({
    endpoint: async () => {
      const { streamUrl, streamToken } = await api.app.hello();
      return { url: streamUrl, token: streamToken };
    },
  });
  store.defer(() => stream.close());
  // Where one connection is let in the other one is too: no terminal waits out a try of its own.
  if (link) store.add(link.onState.on((state) => state.state === "up" && stream.retryNow()));
  const terminals = store.add(
    new TerminalHost(createTerminalServices({ mirror, session, stream, commands, win, toasts })),
  );

  store.add(registerAppCommands(commands, shell, session));
  store.add(registerWorkspaceCommands(commands, session));
  store.add(registerRecordingCommands(commands, session, (play) => shell.setState({ play })));
  store.add(session.onFocus.on(cover.leave));
  store.add(session.onFocus.on((block) => terminals.handle(block)?.focus()));
  const focused = () => {
    const block = session.block;
    return block && terminals.handle(block.id);
  };
  for (const command of terminalCommands(focused, commands.mac)) {
    // Restarting is a command of blocks, whatever they show.
    if (command.id !== "terminal.restart") store.add(commands.register(command));
  }
  store.add(
    commands.onFailure.on(({ command, error }) =>
      toasts.show({ level: "error", title: `“${command.title}” did not work`, text: errorText(error) }),
    ),
  );
  const keys = () => commands.setOverrides(mirror.known.settings?.settings.keys ?? {});
  store.defer(
    mirror.store.subscribe((now, before) => {
      if (now.settings !== before.settings) keys();
    }),
  );
  store.add(followTheme(mirror, win));
  store.add(watchNotices(mirror, toasts, session));
  store.add(watchHappenings(mirror, toasts, session, pageSight(win, session)));
  // After the keys are in force: it judges them too.
  store.add(watchSettings(mirror, toasts, commands));
  store.add(listenForKeys(win, commands));
  // After the commands: a chord is never text.
  const ahead = store.add(
    new TypeAhead(win, {
      hasKeys: (block) =>
        document.activeElement?.closest("[data-terminal]")?.getAttribute("data-terminal") === block,
      type: (block, text) => terminals.handle(block)?.type(text) ?? false,
      dropped: (text) =>
        toasts.show({
          level: "warn",
          title: "What you typed was not used",
          text: `It was meant for a terminal that did not open: ${JSON.stringify(text)}`,
        }),
    }),
  );
  store.add(session.onOpening.on((opening) => void ahead.hold(opening)));
  store.add(refuseDrops(win));
  void mirror.start();
  return { api, mirror, toasts, session, commands, shell, terminals, dispose: () => store.dispose() };
}
