export { registerWorkspaceCommands } from "./commands";
export { SessionProvider, useSession } from "./context";
export { endBlockDrag, startBlockDrag } from "./drag";
export { expandHome, folderName } from "./folder";
export { panesOf, paneWith } from "./layout";
export { BlockViewContext } from "./PaneContent";
export { WorkspaceSession } from "./session";
export { WorkspaceArea } from "./WorkspaceArea";
export { WorkspaceTabs } from "./WorkspaceTabs";
