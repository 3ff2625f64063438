// Terminals as panes: the emulator and what surrounds it. The app makes one
// TerminalHost from its services, puts TerminalHostProvider around its panes,
// and registers terminalCommands.

export { terminalCommands } from "./commands";
/** @public */
export type { TerminalHandle } from "./handle";
export { TerminalHost } from "./host";
export type { Place } from "./reveal";
export { fileNameFor } from "./screen-text";
export type { Source, TerminalServices } from "./services";
export { TerminalHostProvider, TerminalPane } from "./TerminalPane";
