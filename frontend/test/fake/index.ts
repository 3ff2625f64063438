export { defaults, FakeBackend } from "./backend";
export { leaf, pane, split, status } from "./model";
