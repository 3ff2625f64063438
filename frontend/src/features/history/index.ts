export { HistoryDialog } from "./HistoryDialog";
