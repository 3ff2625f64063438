// Recordings of terminals: made from what is kept, and played in a terminal.

export { registerRecordingCommands } from "./commands";
export { PlayDialog } from "./PlayDialog";
