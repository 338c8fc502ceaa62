export { type ComposedModels, composeModels, type ModelLayerSettings } from "./compose-models.ts";
export { contextSettings } from "./context-settings.ts";
export { createSubscriptions, type Subscriptions, saveCredential } from "./subscriptions.ts";
