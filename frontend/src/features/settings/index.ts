export { type SectionId, sections } from "./model";
export { SettingsView } from "./SettingsView";
