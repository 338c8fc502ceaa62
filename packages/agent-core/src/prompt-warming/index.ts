export { promptWarming } from "./feature.ts";
export { type KeepWarmOptions, keepWarm, type WarmHeart, type WarmSettings } from "./keep-warm.ts";
