export { type ConfigSource, configReader } from "./config-reader.ts";
export { type ProvidersSource, providersList } from "./providers-list.ts";
export { isHidden, ownerOf, type SettingView, settingViews } from "./setting-views.ts";
export { settingsForms } from "./settings-forms.ts";
