export type { FindLocalModelsOptions, LocalModelServer } from "./find-local-models.ts";
export { findLocalModels } from "./find-local-models.ts";
export { GatewayFacts, type GatewayFactsOptions } from "./gateway-facts.ts";
export type { ListedModel, ListModelsOptions } from "./list-models.ts";
export { listModels } from "./list-models.ts";
export type { ModelTrial, TrialOutcome, TryModelOptions } from "./try-model.ts";
export { tryModel } from "./try-model.ts";
