export type { AuthFailure } from "./auth-watch.ts";
export { type ComposedModels, composeModels, type ModelLayerSettings } from "./compose-models.ts";
export { contextSettings } from "./context-settings.ts";
export { SCRIPTED_WINDOW_TOKENS } from "./model-facts.ts";
export { type MayUseModel, mayUseModel } from "./peer-models.ts";
export { createSubscriptions, type Subscriptions, saveCredential } from "./subscriptions.ts";
