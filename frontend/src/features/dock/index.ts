export { ActivityDock } from "./ActivityDock";
