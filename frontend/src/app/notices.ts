import type { Mirror } from "../bridge/mirror";
import type { Notice } from "../bridge/types";
import type { WorkspaceSession } from "../features/workspace";
import type { Disposable } from "../lib/disposable";
import type { Toasts } from "../ui/toasts";

/** Trouble stays until it was read; the rest goes by itself. */
export function watchNotices(mirror: Mirror, toasts: Toasts, session: WorkspaceSession): Disposable {
  return mirror.onNotice.on((notice: Notice) => {
    const block = mirror.known.model.blocks[notice.block];
    toasts.show({
      id: `notice-${notice.id}`,
      level: notice.level,
      title: notice.title,
      text: [notice.text, notice.fix].filter(Boolean).join(" "),
      ...(notice.level === "error" ? { life: 0 } : {}),
      ...(block ? { actions: [{ label: "Go there", run: () => session.focusBlock(block.id) }] } : {}),
    });
  });
}
