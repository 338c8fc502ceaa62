export type {
  SettingDependency,
  SettingMetadata,
  SettingsSection,
  SettingType,
  SettingVariable,
} from "./setting-metadata.ts";
