export { revisionOf, type SaveOptions, type SaveResult, type SettingEdit, saveConfig } from "./save-config.ts";
export { ConfigSaveError, type SaveErrorCode } from "./save-error.ts";
