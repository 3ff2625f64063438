import type { Mirror } from "../bridge/mirror";
import type { Notice } from "../bridge/types";
import { problemsOf, problemText } from "../features/settings";
import type { WorkspaceSession } from "../features/workspace";
import type { CommandRegistry } from "../lib/commands";
import { type Disposable, disposable } from "../lib/disposable";
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

/** Says what is wrong in the settings file, once for each change of that; the rest of the file applies. */
export function watchSettings(mirror: Mirror, toasts: Toasts, commands: CommandRegistry): Disposable {
  const id = "settings-problems";
  let said = "";
  const look = () => {
    const problems = problemsOf(mirror.known.settings, commands);
    const texts = problems.map(problemText);
    if (texts.join("\n") === said) return;
    said = texts.join("\n");
    toasts.remove(id);
    const [first, ...more] = texts;
    if (first === undefined) return;
    const others = more.length > 0 ? ` And ${more.length} more.` : "";
    // What names no setting is wrong with the whole of the file.
    const rest = problems.every((p) => p.key !== "") ? " The rest applies." : "";
    toasts.show({
      id,
      level: "warn",
      title: "Not all of settings.json could be used",
      text: `${first.replace(/^line/, "Line")}.${others}${rest}`,
      life: 0,
      actions: [
        {
          label: "Show in the settings",
          run: () => commands.run("settings.look"),
        },
      ],
    });
  };
  look();
  return disposable(
    mirror.store.subscribe((now, before) => {
      if (now.settings !== before.settings) look();
    }),
  );
}
