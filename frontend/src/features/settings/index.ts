export type { SectionId } from "./model";
export { SettingsView } from "./SettingsView";
