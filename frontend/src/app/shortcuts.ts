import type { CommandRegistry } from "../lib/commands";
import { type Disposable, DisposableStore, listen } from "../lib/disposable";

const editing = new Set([
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
  "Backspace",
  "Delete",
]);

/** Whether a text field has a use of its own for the keys. */
function fieldUses(event: KeyboardEvent): boolean {
  if (editing.has(event.key) && !(event.ctrlKey && event.altKey)) return true;
  return (event.ctrlKey || event.metaKey) && /^[acvxyz]$/i.test(event.key);
}

/**
 * Runs commands by their keys. It hears a key before anything else does, so
 * that a chord of ours never reaches a program too; a dialogue keeps its keys
 * to itself.
 */
export function listenForKeys(win: Window, commands: CommandRegistry): Disposable {
  return listen(
    win,
    "keydown",
    (event) => {
      if (event.isComposing || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('[role="dialog"], [role="menu"], [data-keys="raw"]')) return;
      // xterm types into a hidden text field of its own.
      const inTerminal = target?.closest("[data-terminal] .xterm") != null;
      if (!inTerminal && target?.matches("input, textarea, select") && fieldUses(event)) return;
      const command = commands.resolve(event, inTerminal);
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat || command.id.startsWith("pane.") || command.id.startsWith("tab."))
        commands.run(command.id);
    },
    { capture: true },
  );
}

/** A file dropped on the window must never take the page's place. What a part of the window accepts itself is left alone. */
export function refuseDrops(win: Window): Disposable {
  const store = new DisposableStore();
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
  };
  store.add(listen(win, "dragover", refuse));
  store.add(listen(win, "drop", refuse));
  return store;
}
