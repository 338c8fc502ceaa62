/** The rows of the route table for clients of the OpenAI API (V1). */
import type { Route } from "../../access/index.ts";
import { mayUseModel } from "../../model-layer/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { chatRoute } from "./chat-route.ts";
import { modelsRoutes } from "./models-routes.ts";

/** The rows of `/v1` that are not A2A's. */
export function openAIRoutes({ settings, core, models, logging, keepAliveMs }: RunningHost): Route[] {
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
