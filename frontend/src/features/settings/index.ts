export { type SectionId, sections } from "./model";
export { problemsOf, problemText } from "./problems";
export { SettingsView } from "./SettingsView";
