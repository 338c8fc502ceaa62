import { existsSync } from "node:fs";
import {
  type Clock,
  createModelRouter,
  findLocalModels,
  type ListedModel,
  listModels,
  ModelConfigError,
  type ModelConnection,
  ModelError,
  type ModelLanesSnapshot,
  type ModelPrice,
  type ReasoningEffort,
  type TrialOutcome,
  tryModel,
} from "@agent-service/agent-core/host";
import type { ConnectionProblem, ModelLanesService, ModelsService } from "@agent-service/operator-api";
import { PROVIDER_PRESETS } from "@agent-service/operator-api/client";
import { SCRIPTED_WINDOW_TOKENS } from "../../model-layer/index.ts";
import type { ServerSettings } from "../../settings/index.ts";
import { connectionProblem, type TriedEntry } from "./connection-problem.ts";
import { type TriedConnectionParts, triedConnection, triedModel } from "./tried-connection.ts";

/** The sources of the models' routes, read at each request. */
export interface ModelsServiceParts {
  readonly settings: Pick<ServerSettings, "models" | "model" | "environment" | "bind">;
  /** Takes secrets out of a server's response (S5). */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly models: {
    readonly lanes: () => ModelLanesSnapshot;
    readonly connectionOf: TriedConnectionParts["models"]["connectionOf"];
    /** The price of a model at a connection, whose server may have reported one just now. */
    readonly price: (
      model: string,
      at: { readonly connection: string; readonly reported: ModelPrice | undefined },
    ) => ModelPrice | undefined;
    /** The reasoning efforts of a model at a connection, likewise. */
    readonly efforts: (
      model: string,
      at: { readonly connection: string; readonly reported: readonly ReasoningEffort[] | undefined },
    ) => readonly ReasoningEffort[] | undefined;
  };
}

/** Milliseconds that a list may take; the calls of a test have a minute each. */
const LIST_TIMEOUT_MS = 10_000;

/** What usually listens where on one's own machine. llama.cpp has no preset: it serves the one model it was started with. */
const LOCAL_PORTS: readonly (readonly [server: string, port: number])[] = [
  ...PROVIDER_PRESETS.filter(({ place }) => place === "local").map(
    ({ id, baseUrl }) => [id, Number(new URL(baseUrl).port)] as const,
  ),
  ["llama.cpp", 8_080],
];

/** Tests of connections, and the current model calls (O4, R13). */
export function modelsServices(parts: ModelsServiceParts): {
  readonly models: ModelsService;
  readonly modelLanes: ModelLanesService;
} {
  return { models: modelsService(parts), modelLanes: { lanes: () => shownLanes(parts.models.lanes()) } };
}

function modelsService(parts: ModelsServiceParts): ModelsService {
  const { settings, redact } = parts;
  const messageOf = (error: unknown): string => redact(reasonOf(error));
  const outcome = (one: TrialOutcome) => ({ ok: one.ok, error: one.ok ? "" : redact(one.error), ms: one.ms });
  const problemOf = (error: unknown, tried: TriedEntry): ConnectionProblem => {
    const { field, text } = connectionProblem(error, tried);
    return { field, text: redact(text) };
  };
  return {
    async list(entered, signal) {
      let tried: TriedEntry = { address: entered.api_base, hasKey: entered.api_key !== "", model: "" };
      try {
        const connection = triedConnection(parts, entered);
        tried = { ...entryOf(connection), model: "" };
        const models = await modelsOf(connection, signal);
        const details = models.map((model) =>
          shown(model, {
            price: parts.models.price(model.name, { connection: connection.id, reported: model.price }),
            efforts: parts.models.efforts(model.name, { connection: connection.id, reported: model.efforts }),
          }),
        );
        return { models: models.map(({ name }) => name), details, error: "", problem: null };
      } catch (error) {
        const message = messageOf(error);
        return { models: [], details: [], error: message, problem: problemOf(error, tried) };
      }
    },

    async test({ model, ...entered }, signal) {
      const nothing = { ok: false, answer: null, tool_call: null };
      let tried: TriedEntry = { address: entered.api_base, hasKey: entered.api_key !== "", model };
      let connection: ModelConnection;
      try {
        connection = triedConnection(parts, entered);
        tried = { ...entryOf(connection), model };
      } catch (error) {
        return { ...nothing, error: messageOf(error), problem: problemOf(error, tried) };
      }
      const router = createModelRouter({
        connections: [connection],
        scripted: false,
        requestTimeoutMs: settings.model.request_timeout * 1000,
      });
      try {
        const found = router.resolve(`${connection.id}:${triedModel(settings, connection.id, model)}`);
        const { answer, toolCall } = await tryModel({ ...found, signal });
        const error = !answer.ok
          ? `No answer: ${redact(answer.error)}`
          : toolCall?.ok === false
            ? `It answers, but the tool call failed: ${redact(toolCall.error)}`
            : "";
        const failed = answer.ok ? toolCall : answer;
        const problem =
          failed?.ok !== false
            ? null
            : failed.cause === undefined
              ? unfit(found.name, answer.ok)
              : problemOf(failed.cause, { ...tried, model: found.name });
        return {
          ...{ ok: error === "", error, problem },
          ...{ answer: outcome(answer), tool_call: toolCall ? outcome(toolCall) : null },
        };
      } catch (error) {
        return { ...nothing, error: messageOf(error), problem: problemOf(error, tried) };
      } finally {
        await router.close();
      }
    },

    findLocal: (signal) => localServers(settings, signal),
  };
}

async function localServers(
  { environment, bind }: ModelsServiceParts["settings"],
  signal: AbortSignal,
): ReturnType<ModelsService["findLocal"]> {
  const servers = await findLocalModels({
    ollamaHost: environment.ollamaHost,
    containerHost: containerHost(),
    ports: LOCAL_PORTS,
    exceptPorts: [bind.port],
    signal,
  });
  return {
    servers: servers.map(({ server, baseUrl, models }) => ({
      server,
      base_url: baseUrl,
      models: models.map(({ name }) => name),
      details: models.map((model) => shown(model, model)),
    })),
  };
}

async function modelsOf({ type, baseUrl = "", apiKey }: ModelConnection, signal: AbortSignal): Promise<ListedModel[]> {
  if (type === "scripted") return [{ name: "demo", contextWindow: SCRIPTED_WINDOW_TOKENS, vision: false }];
  if (type !== "compat-gateway")
    throw new ModelConfigError("unsupported_connection", "a subscription does not list its models; name one instead");
  if (URL.parse(baseUrl)?.protocol.startsWith("http") !== true)
    throw new ModelConfigError("invalid_base_url", "expected an http:// or https:// address");
  const key = typeof apiKey === "function" ? apiKey() : apiKey;
  return listModels({ baseUrl, ...(key === undefined ? {} : { apiKey: key }), timeoutMs: LIST_TIMEOUT_MS, signal });
}

function entryOf({ baseUrl = "", apiKey, tokens }: ModelConnection): Omit<TriedEntry, "model"> {
  const key = typeof apiKey === "function" ? apiKey() : apiKey;
  return { address: baseUrl, hasKey: tokens !== undefined || (key !== undefined && key !== "") };
}

/** Of a model that was reached and did not do what an agent needs. */
function unfit(model: string, answers: boolean): ConnectionProblem {
  const what = answers ? "answers, but did not call the tool it was given" : "gave an empty answer";
  return { field: "model", text: `${model} ${what}. Choose a model that can call tools.` };
}

function reasonOf(error: unknown): string {
  if (error instanceof ModelError || error instanceof ModelConfigError) return error.message;
  throw error;
}

const shown = (
  { name, contextWindow, vision }: ListedModel,
  { price, efforts }: Pick<ListedModel, "price" | "efforts">,
) => ({
  name,
  context_window: contextWindow ?? null,
  vision: vision ?? null,
  reasoning_efforts: efforts === undefined ? null : [...efforts],
  price:
    price === undefined
      ? null
      : {
          input: price.input ?? null,
          output: price.output ?? null,
          cache_read: price.cacheRead ?? null,
          cache_write: price.cacheWrite ?? null,
        },
});

/** Docker and Podman leave a file in every container; elsewhere the name would only ask the network's resolver. */
function containerHost(): string | undefined {
  if (existsSync("/run/.containerenv")) return "host.containers.internal";
  return existsSync("/.dockerenv") ? "host.docker.internal" : undefined;
}

const seconds = (ms: number): number => ms / 1000;

function shownLanes({ enabled, generatedAt, lanes }: ModelLanesSnapshot): ReturnType<ModelLanesService["lanes"]> {
  if (!enabled) return { enabled };
  return {
    enabled,
    generated_at: new Date(generatedAt).toISOString(),
    lanes: lanes.map((lane) => ({
      lane: lane.lane,
      limit: lane.limit,
      reserve: lane.reserve,
      inflight: lane.inflight,
      queued: lane.queued,
      queued_by_priority: lane.queuedByPriority,
      oldest_wait_s: seconds(lane.oldestWaitMs),
      wait_p50_s_5m: lane.waitP50Ms === null ? null : seconds(lane.waitP50Ms),
      wait_p90_s_5m: lane.waitP90Ms === null ? null : seconds(lane.waitP90Ms),
      queue_timeouts_5m: lane.queueTimeouts,
      saturated: lane.saturated,
    })),
  };
}
