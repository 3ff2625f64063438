import type { IDockviewPanelProps } from "dockview-react";
import { type ComponentType, createContext, type RefObject, use, useEffect, useRef, useState } from "react";
import { useKnown } from "../../bridge/context";
import { ErrorBoundary } from "../../ui/ErrorBoundary";

/** What draws a block: the app says which, so that panes know no kind of content. */
export type BlockView = ComponentType<{ blockId: string; visible: boolean; focused: boolean }>;

export const BlockViewContext = createContext<BlockView>(() => null);

/** Whether the panes of this workspace are on screen and may have the keys. */
export const OnScreen = createContext(false);

/** What a pane shows of the block in front. It stays mounted when hidden: its emulator lives as long as the panel. */
export function PaneContent({ api, containerApi, params }: IDockviewPanelProps<{ block: string }>) {
  const View = use(BlockViewContext);
  const onScreen = use(OnScreen);
  const here = useKnown((k) => k.model.blocks[params.block] !== undefined);
  const host = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState(api.isVisible);
  const [focused, setFocused] = useState(api.isActive && api.isGroupActive);
  useEffect(() => {
    const look = () => {
      setVisible(api.isVisible);
      setFocused(api.isActive && api.isGroupActive);
    };
    look();
    const subs = [
      api.onDidVisibilityChange(look),
      api.onDidActiveChange(look),
      api.onDidActiveGroupChange(look),
      api.onDidGroupChange(look),
      // A layout that was drawn anew gives panels new groups without a word to the panels.
      containerApi.onDidActiveGroupChange(look),
      containerApi.onDidLayoutFromJSON(look),
    ];
    return () => {
      for (const sub of subs) sub.dispose();
    };
  }, [api, containerApi]);
  const ready = useDrawn(host, onScreen && visible && focused && here);
  if (!here) return null;
  return (
    <ErrorBoundary what="This pane" action="Reload pane">
      <div ref={host} className="pane-in" data-terminal={params.block}>
        <View blockId={params.block} visible={onScreen && visible} focused={ready} />
      </div>
    </ErrorBoundary>
  );
}

/**
 * True while wanted, from the moment the element is really on screen: dockview
 * shows a new panel a frame late, and what is hidden cannot take the focus.
 */
function useDrawn(host: RefObject<HTMLElement | null>, wanted: boolean): boolean {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    let frame = 0;
    const look = () => {
      if (host.current?.checkVisibility?.({ visibilityProperty: true }) ?? true) setDrawn(true);
      else frame = requestAnimationFrame(look);
    };
    look();
    return () => {
      cancelAnimationFrame(frame);
      setDrawn(false);
    };
  }, [host, wanted]);
  return wanted && drawn;
}
