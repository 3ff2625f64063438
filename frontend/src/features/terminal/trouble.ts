import { errorText } from "../../lib/format";
import type { TerminalServices } from "./services";

/** Tells the person what did not work, and what to do if that is known. */
export function trouble(services: TerminalServices, title: string, error: unknown, fix?: string): void {
  services.notify({ level: "error", title, text: errorText(error), ...(fix && { fix }) });
}
