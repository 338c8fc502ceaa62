export { type ConfigToolsOptions, configTools } from "./config-tools.ts";
export { SHOW_CONFIG_LIMITS, type ShownSetting } from "./show-config.ts";
