export { defaults, FakeBackend } from "./backend";
export { exitOf, leaf, pane, split, status } from "./model";
