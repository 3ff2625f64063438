import { createContext, type ReactNode, use, useCallback, useSyncExternalStore } from "react";
import type { CommandRegistry } from "../lib/commands";

const CommandsContext = createContext<CommandRegistry | undefined>(undefined);

export function CommandsProvider({ registry, children }: { registry: CommandRegistry; children: ReactNode }) {
  return <CommandsContext value={registry}>{children}</CommandsContext>;
}

/** The registry; draws again when commands or keys change. */
export function useCommands(): CommandRegistry {
  const registry = use(CommandsContext);
  if (!registry) throw new Error("a part of the window stands outside CommandsProvider");
  const subscribe = useCallback(
    (changed: () => void) => {
      const sub = registry.onChange.on(changed);
      return () => sub.dispose();
    },
    [registry],
  );
  useSyncExternalStore(subscribe, () => registry.version);
  return registry;
}
