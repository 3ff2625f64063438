export type { SearchWish } from "./model";
export { SearchDialog } from "./SearchDialog";
