import { Tooltip } from "radix-ui";
import type { CSSProperties, PointerEvent } from "react";
import { useStore } from "zustand";
import type { BrowserLink } from "../bridge/browser";
import { MirrorProvider, useKnown, useMirror } from "../bridge/context";
import { ActivityDock } from "../features/dock";
import { HistoryDialog } from "../features/history";
import { NeedsYou } from "../features/needs";
import { Palette } from "../features/palette";
import { PlayDialog } from "../features/recordings";
import { SearchDialog } from "../features/search";
import { SettingsView } from "../features/settings";
import { SwarmTree } from "../features/swarm";
import { type Place, TerminalHostProvider, TerminalPane } from "../features/terminal";
import { BlockViewContext, SessionProvider, useSession, WorkspaceArea } from "../features/workspace";
import { errorText } from "../lib/format";
import { Button } from "../ui/Button";
import { CommandsProvider } from "../ui/commands";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { ToastList } from "../ui/ToastList";
import { LinkBar } from "./LinkBar";
import { StatusBar } from "./StatusBar";
import type { Services } from "./services";
import { covered, type Shell } from "./shell";
import { TitleBar } from "./TitleBar";

const narrowest = 180;
const widest = 800;

/** The edge of the tree: dragged, or moved by arrows. */
function TreeEdge({ width }: { width: number }) {
  const session = useSession();
  const { api, takeSettings } = useSettingsWriter();
  const keep = (value: number) =>
    session.try(
      "The width could not be kept",
      api.settings.set({ path: "view.treeWidth", value }).then(takeSettings),
    );
  const drag = (e: PointerEvent<HTMLElement>) => {
    const win = e.currentTarget.closest<HTMLElement>(".win");
    const target = e.currentTarget;
    target.setPointerCapture(e.pointerId);
    const at = (x: number) => Math.round(Math.min(widest, Math.max(narrowest, x)));
    // The style alone follows the pointer; the setting is written once, at the end.
    const move = (m: globalThis.PointerEvent) => win?.style.setProperty("--tree", `${at(m.clientX)}px`);
    const up = (m: globalThis.PointerEvent) => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", up);
      keep(at(m.clientX));
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", up);
  };
  return (
    <hr
      className="tree-edge"
      aria-orientation="vertical"
      aria-label="Width of the swarm tree"
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(e) => {
        if (e.key === "ArrowLeft") keep(Math.max(narrowest, width - 10));
        if (e.key === "ArrowRight") keep(Math.min(widest, width + 10));
      }}
    />
  );
}

function useSettingsWriter() {
  const mirror = useMirror();
  return {
    api: mirror.api,
    takeSettings: (view: Parameters<typeof mirror.takeSettings>[0]) => mirror.takeSettings(view),
  };
}

interface FrameProps {
  shell: Shell;
  link: BrowserLink | undefined;
  copy: (text: string) => Promise<void>;
  /** Puts a command at the prompt of the terminal that has the focus. */
  enter: (text: string, run: boolean) => void;
  reveal: (block: string, place: Place) => Promise<boolean>;
}

function Frame({ shell, link, copy, enter, reveal }: FrameProps) {
  const session = useSession();
  const { api, takeSettings } = useSettingsWriter();
  const { palette, needs, search, history, play, settings } = useStore(shell);
  const over = useStore(shell, covered);
  const view = useKnown((k) => k.settings?.settings.view);
  const treeShown = view?.treeShown ?? true;
  const width = view?.treeWidth || 300;
  const leave = () => {
    shell.setState({ settings: undefined });
    const block = session.dock?.activeBlock;
    if (block !== undefined) session.focusBlock(block);
  };
  return (
    <div className="win" style={{ "--tree": `${width}px` } as CSSProperties}>
      <div>
        <TitleBar />
        <LinkBar link={link} />
      </div>
      <main className={treeShown ? "main" : "main alone"}>
        {treeShown && (
          <div className="tree-col">
            <ErrorBoundary what="The tree" action="Draw it again">
              <SwarmTree />
            </ErrorBoundary>
            <TreeEdge width={width} />
          </div>
        )}
        <div className="center">
          <WorkspaceArea covered={over} />
          {settings !== undefined && (
            <ErrorBoundary what="The settings" action="Draw them again">
              <SettingsView
                section={settings}
                onSection={(section) => shell.setState({ settings: section })}
                onClose={leave}
              />
            </ErrorBoundary>
          )}
        </div>
      </main>
      {(view?.dockShown ?? true) ? (
        <ErrorBoundary what="The activity dock" action="Draw it again">
          <ActivityDock
            rows={view?.dockRows ?? 4}
            onRows={(value) =>
              session.try(
                "The height could not be kept",
                api.settings.set({ path: "view.dockRows", value }).then(takeSettings),
              )
            }
          />
        </ErrorBoundary>
      ) : (
        <div />
      )}
      <StatusBar />
      {palette && <Palette onClose={() => shell.setState({ palette: false })} />}
      {needs && <NeedsYou onClose={() => shell.setState({ needs: false })} />}
      {search && (
        <SearchDialog
          wish={search}
          copy={copy}
          reveal={reveal}
          onClose={(searched) => shell.setState({ search: undefined, searched })}
        />
      )}
      {history && (
        <HistoryDialog copy={copy} enter={enter} onClose={() => shell.setState({ history: false })} />
      )}
      {play !== undefined && <PlayDialog path={play} onClose={() => shell.setState({ play: undefined })} />}
      <ToastList toasts={session.toasts} />
    </div>
  );
}

function Loading() {
  const mirror = useMirror();
  const trouble = useKnown((k) => k.trouble);
  if (!trouble) return <div className="signin" role="status" aria-label="Starting" />;
  return (
    <main className="signin">
      <div className="err" role="alert">
        <h3>Drover does not answer, or could not start</h3>
        <p>{errorText(trouble)}</p>
        <div className="go">
          <Button look="primary" onClick={() => void mirror.start()}>
            Try again
          </Button>
        </div>
      </div>
    </main>
  );
}

function Ready({ services, link }: { services: Services; link: BrowserLink | undefined }) {
  const ready = useKnown((k) => k.ready);
  const { clipboard } = services.terminals.services;
  const enter = (text: string, run: boolean) => {
    const { session, terminals, commands, toasts } = services;
    const pane = session.block && terminals.handle(session.block.id);
    if (!pane) {
      toasts.show({
        level: "info",
        title: "There is no terminal for it",
        text: "Open one, or copy the command.",
      });
      return;
    }
    commands.uncover();
    pane.commands.enter(text, run);
  };
  const reveal = (block: string, place: Place) => services.terminals.reveal(block, place);
  if (!ready) return <Loading />;
  return <Frame shell={services.shell} link={link} copy={clipboard.write} enter={enter} reveal={reveal} />;
}

export function App({ services, link }: { services: Services; link?: BrowserLink | undefined }) {
  return (
    <ErrorBoundary what="The window" action="Draw it again">
      <MirrorProvider mirror={services.mirror}>
        <CommandsProvider registry={services.commands}>
          <SessionProvider session={services.session}>
            <TerminalHostProvider host={services.terminals}>
              <BlockViewContext value={TerminalPane}>
                <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
                  <Ready services={services} link={link} />
                </Tooltip.Provider>
              </BlockViewContext>
            </TerminalHostProvider>
          </SessionProvider>
        </CommandsProvider>
      </MirrorProvider>
    </ErrorBoundary>
  );
}
