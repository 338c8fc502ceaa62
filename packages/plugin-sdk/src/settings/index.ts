export type {
  SectionVariable,
  SettingDependency,
  SettingMetadata,
  SettingsSection,
  SettingType,
  SettingVariable,
} from "./setting-metadata.ts";
