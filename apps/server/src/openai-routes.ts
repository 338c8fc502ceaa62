/** The rows of the route table that speak to chat clients of the OpenAI API (ruling V1). */
import type { AgentEngine } from "@agent-service/agent-core";
import type { Route } from "./http/index.ts";
import type { Logging } from "./logging/index.ts";
import type { ComposedModels } from "./model-layer/index.ts";
import { chatRoute, modelsRoutes } from "./openai/index.ts";
import { mayUseModel } from "./peer-models.ts";
import type { ServerSettings } from "./sections/index.ts";

/** What the rows are over. */
export interface OpenAIRouteParts {
  readonly settings: ServerSettings;
  readonly core: AgentEngine;
  readonly models: ComposedModels;
  readonly logging: Logging;
  readonly keepAliveMs?: number | undefined;
}

/** The rows of `/v1` that are not A2A's. */
export function openAIRoutes({ settings, core, models, logging, keepAliveMs }: OpenAIRouteParts): Route[] {
  const { agentName } = settings.environment;
  const mayUse = mayUseModel(settings);
  return [
    ...modelsRoutes({
      agent: agentName,
      favorites: (caller) => settings.model.favorites.filter((model) => mayUse(model, caller)),
      created: Math.floor(Date.now() / 1000),
    }),
    chatRoute({
      tasks: core.service,
      agentNames: () => [agentName, settings.identity.name],
      mayUseModel: mayUse,
      checkModel: (value) => void models.choose(value),
      keepAliveMs,
      onError: (error, errorId) =>
        logging.logger.error({ err: error, error_id: errorId }, "a chat completion request failed"),
    }),
  ];
}
