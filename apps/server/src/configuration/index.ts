export { type ConfigSource, configReader } from "./config-reader.ts";
export { type ConfigWriterParts, configWriter } from "./config-writer.ts";
export { explainText } from "./explain-text.ts";
export { type ProvidersSource, providersList } from "./providers-list.ts";
export { providersWriter } from "./providers-writer.ts";
export { createSettingsSaver, type Saved, type SaveOptions, type SettingsSaver } from "./save-settings.ts";
export { isHidden, ownerOf, type SettingView, settingViews, sourceOf, toldValue } from "./setting-views.ts";
export { settingsForms } from "./settings-forms.ts";
export { settingEdit, settingsWriter } from "./settings-writer.ts";
