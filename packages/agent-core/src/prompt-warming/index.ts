export { promptWarming } from "./feature.ts";
export { type KeepWarmOptions, keepWarm, type PromptWarming, type WarmSettings } from "./keep-warm.ts";
