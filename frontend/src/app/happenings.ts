import type { Mirror } from "../bridge/mirror";
import type { BlockEvent } from "../bridge/types";
import type { WorkspaceSession } from "../features/workspace";
import type { Disposable } from "../lib/disposable";
import { ageText } from "../lib/format";
import type { Toasts } from "../ui/toasts";

/** A command that took so long is told of when it ends out of sight (milliseconds). */
const long = 10_000;

/** What the person sees of the window now. */
export interface Sight {
  /** Whether they look at a block. */
  sees(block: string): boolean;
  /** Tells them outside the window, if it is out of sight and they have allowed that. */
  outside(title: string, text: string, go: () => void): void;
}

/** Tells what programs want told, and that a long command has ended, when nobody was looking at it. */
export function watchHappenings(
  mirror: Mirror,
  toasts: Toasts,
  session: WorkspaceSession,
  sight: Sight,
): Disposable {
  return mirror.onBlockEvent.on((event) => {
    if (!mirror.known.model.blocks[event.block] || sight.sees(event.block)) return;
    const name = session.nameOf(event.block);
    const told = event.event === "notification" ? notification(event, name) : commandEnd(event, name);
    if (!told) return;
    const go = () => session.focusBlock(event.block);
    toasts.show({
      id: `happened-${event.block}`,
      ...told,
      actions: [{ label: "Go there", run: go }],
    });
    sight.outside(told.title, told.text, go);
  });
}

function notification({ title, text }: BlockEvent, name: string) {
  return {
    level: "info" as const,
    title: title || name,
    text: title ? text : text || "It wants to be looked at.",
  };
}

function commandEnd({ event, text, exit, took }: BlockEvent, name: string) {
  if (event !== "command" || took < long) return undefined;
  const failed = exit > 0;
  const first = text.split("\n", 1)[0] ?? "";
  return {
    level: failed ? ("warn" as const) : ("info" as const),
    title: failed ? `${first || "A command"} failed with ${exit}` : `${first || "A command"} has finished`,
    text: `in ${name}, after ${ageText(took)}`,
  };
}

/** The page's own sight. */
export function pageSight(
  win: Window & { Notification?: typeof Notification },
  session: WorkspaceSession,
): Sight {
  return {
    sees: (block) => win.document.hasFocus() && session.block?.id === block,
    outside: (title, text, go) => {
      const { Notification } = win;
      if (Notification?.permission !== "granted" || win.document.hasFocus()) return;
      const shown = new Notification(title, { body: text });
      shown.onclick = () => {
        win.focus();
        go();
      };
    },
  };
}
