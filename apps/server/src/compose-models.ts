/** The model layer, from settings: connections, lanes, retries, the lead (document 3 `model`, `providers`; rulings R6, R13). */
import {
  createModelRouter,
  type ModelChoice,
  type ModelConnection,
  type ModelRouter,
  type ModelSettings,
  withLane,
  withRetry,
} from "@agent-service/agent-core";
import { derive, type ServerSettings } from "./sections/index.ts";

/** What sampling settings a call carries. */
function settingsOf({ model }: ServerSettings): ModelSettings {
  return {
    temperature: model.temperature,
    maxTokens: model.max_tokens,
    ...(model.top_p === undefined ? {} : { topP: model.top_p }),
    ...(model.top_k < 0 ? {} : { topK: model.top_k }),
    ...(model.presence_penalty === undefined ? {} : { presencePenalty: model.presence_penalty }),
    ...(model.repetition_penalty === undefined ? {} : { repetitionPenalty: model.repetition_penalty }),
    ...(model.chat_template_kwargs === undefined ? {} : { chatTemplateKwargs: model.chat_template_kwargs }),
  };
}

/** The models of a service. */
export interface ComposedModels {
  /** Finds the model for a value; undefined: the lead. Raises `ModelConfigError`. */
  readonly choose: (value: string | undefined) => ModelChoice;
  /** The lead's name, for people. */
  readonly leadName: string;
  readonly leadIsScripted: boolean;
  close(): Promise<void>;
}

function router({ model, models }: ServerSettings): ModelRouter {
  const connections = models.connections.map(
    ({ id, type, label, baseUrl, apiKey }): ModelConnection => ({
      id,
      type,
      label,
      ...(baseUrl === "" ? {} : { baseUrl }),
      ...(apiKey === "" ? {} : { apiKey }),
    }),
  );
  return createModelRouter({
    connections,
    defaultModel: models.lead,
    scripted: connections.some(({ type }) => type === "scripted"),
    requestTimeoutMs: model.request_timeout * 1000,
    wrap: (inner) =>
      withRetry(
        withLane(inner, {
          maxInflight: model.max_inflight,
          queueTimeoutMs: model.inflight_queue_timeout * 1000,
          reserve: model.inflight_interactive_reserve,
        }),
        { maxRetries: model.max_retries },
      ),
  });
}

/** Composes the models. */
export function composeModels(settings: ServerSettings): ComposedModels {
  // Former routers serve the turns that began with them (ruling S8), so they close with the service.
  const routers: ModelRouter[] = [];
  const current = derive(
    () => [settings.model, settings.models],
    () => {
      const made = router(settings);
      routers.push(made);
      return { models: made, sampling: settingsOf(settings) };
    },
  );
  return {
    choose(value) {
      const { models, sampling } = current();
      const { model, name } = models.resolve(value);
      return { model, name, settings: sampling };
    },
    get leadName() {
      return settings.models.lead;
    },
    get leadIsScripted() {
      const { lead, connections } = settings.models;
      const leadId = lead.slice(0, Math.max(0, lead.indexOf(":")));
      return connections.some(({ id, type }) => id === leadId && type === "scripted");
    },
    close: () => Promise.all(routers.splice(0).map((made) => made.close())).then(() => {}),
  };
}
