import * as v from "valibot";
import { defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";
import {
  connectionProblemSchema,
  connectionSchema,
  lanesSchema,
  listedModelSchema,
  trialSchema,
  triedConnectionSchema,
} from "./schema.ts";

const tag = "Models";

export const listModels = defineRoute({
  name: "config.models",
  method: "POST",
  path: "/api/config/models",
  tag,
  summary: "The models that a connection's server lists",
  description: "A failure is in `error`, with status 200 and no models.",
  mutates: false,
  idempotency: "status-only",
  body: connectionSchema,
  bodyOptional: true,
  reply: json(
    v.object({
      models: v.array(v.string()),
      details: v.array(listedModelSchema),
      error: v.string(),
      problem: connectionProblemSchema,
    }),
  ),
  example: { body: { api_base: "http://127.0.0.1:11434/v1" } },
});

export const testModel = defineRoute({
  name: "config.test-model",
  method: "POST",
  path: "/api/config/test-model",
  tag,
  summary: "Tries a connection with one answer and one tool call, and reports which failed",
  description: "It costs two short calls. A failed trial is status 200 with `ok: false`.",
  mutates: false,
  idempotency: "status-only",
  body: triedConnectionSchema,
  bodyOptional: true,
  reply: json(
    v.object({
      ok: v.boolean(),
      error: v.pipe(v.string(), v.description("Which part failed and why; blank for none.")),
      problem: connectionProblemSchema,
      answer: v.nullable(trialSchema),
      tool_call: v.nullable(trialSchema),
    }),
  ),
  example: { body: { provider: "local", model: "qwen3:8b" } },
});

export const findLocalModels = defineRoute({
  name: "config.models.local",
  method: "GET",
  path: "/api/config/models/local",
  tag,
  summary: "Model servers on the usual ports of this machine",
  description:
    "Ollama (also at OLLAMA_HOST), LM Studio, vLLM, LiteLLM and llama.cpp, here and on the container's host.",
  reply: json(
    v.object({
      servers: v.array(
        v.object({
          server: v.string(),
          base_url: v.pipe(v.string(), v.description("Ready to be a connection's address.")),
          models: v.array(v.string()),
          details: v.array(listedModelSchema),
        }),
      ),
    }),
  ),
});

export const readLanes = defineRoute({
  name: "telemetry.llm-lanes",
  method: "GET",
  path: "/api/telemetry/llm-lanes",
  tag,
  summary: "The queue of model calls: which run and which wait",
  description: "`{enabled: false}` while `model.max_inflight` is 0.",
  reply: json(lanesSchema),
});

/** Why a connection cannot be used, for the person who enters it. */
export type ConnectionProblem = NonNullable<v.InferOutput<typeof connectionProblemSchema>>;

/** Implemented by the service. A trial that fails resolves with its error; it does not reject. */
export interface ModelsService {
  list(
    connection: v.InferOutput<typeof listModels.body>,
    signal: AbortSignal,
  ): Promise<ReplyInput<typeof listModels.reply>>;
  test(
    connection: v.InferOutput<typeof testModel.body>,
    signal: AbortSignal,
  ): Promise<ReplyInput<typeof testModel.reply>>;
  findLocal(signal: AbortSignal): Promise<ReplyInput<typeof findLocalModels.reply>>;
}

/** Implemented by the service. */
export interface ModelLanesService {
  lanes(): ReplyInput<typeof readLanes.reply>;
}

export function modelsRoutes(models: ModelsService): readonly ServedRoute[] {
  return [
    serve(listModels, ({ body, signal }) => models.list(body, signal)),
    serve(testModel, ({ body, signal }) => models.test(body, signal)),
    serve(findLocalModels, ({ signal }) => models.findLocal(signal)),
  ];
}

export function modelLanesRoutes(service: ModelLanesService): readonly ServedRoute[] {
  return [serve(readLanes, () => service.lanes())];
}
