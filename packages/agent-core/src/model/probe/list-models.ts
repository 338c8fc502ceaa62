import { ModelError } from "../model-error.ts";
import type { ReasoningEffort } from "../model-port.ts";
import type { ModelPrice } from "../model-price.ts";
import { readEfforts } from "../shipped-models.ts";
import { fetchJson } from "./fetch-json.ts";
import { readPrice } from "./read-price.ts";

/** A model as its server lists it. */
export interface ListedModel {
  readonly name: string;
  /** Tokens of its context window; absent: not listed. */
  readonly contextWindow?: number;
  /** Whether it takes images; absent: not listed. */
  readonly vision?: boolean;
  /** The reasoning efforts it takes; absent: not listed. */
  readonly efforts?: readonly ReasoningEffort[];
  /** Absent: not listed. */
  readonly price?: ModelPrice;
}

export interface ListModelsOptions {
  /** Address up to and without `/models`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; blank is none. */
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_MODELS = 5_000;
const MAX_NAME_CHARS = 256;

/**
 * The models behind an address, as `GET /models` lists them in the forms of OpenAI, LiteLLM, OpenRouter, vLLM, LM Studio,
 * llama.cpp, Ollama and Anthropic. Sorted by name, at most 5,000. Rejects with `ModelError`.
 */
export async function listModels(options: ListModelsOptions): Promise<ListedModel[]> {
  return readList(options, "/models");
}

/** The models as LiteLLM's `/model/info` describes them; other gateways have no such page. Rejects with `ModelError`. */
export async function readModelInfo(options: ListModelsOptions): Promise<ListedModel[]> {
  return readList(options, "/model/info");
}

/** Where chat completions take a bearer token, but the list of models is that of the Messages API. */
const ANTHROPIC_HOST = "api.anthropic.com";

function anthropicHeaders(key: string): Record<string, string> {
  return { "x-api-key": key, "anthropic-version": "2023-06-01" };
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

async function readList(options: ListModelsOptions, path: string): Promise<ListedModel[]> {
  const key = options.apiKey?.trim() ?? "";
  const base = options.baseUrl.trim().replace(/\/+$/, "");
  const isAnthropic = URL.parse(base)?.hostname === ANTHROPIC_HOST;
  const answer = await fetchJson(`${base}${path}${isAnthropic ? "?limit=1000" : ""}`, {
    headers: { ...(key === "" ? {} : isAnthropic ? anthropicHeaders(key) : bearer(key)), ...options.headers },
    timeoutMs: options.timeoutMs ?? 10_000,
    signal: options.signal,
  });
  const entries = entriesOf(answer);
  if (entries === undefined) throw new ModelError("bad_response", "answered something else than a list of models");
  const models = new Map<string, ListedModel>();
  for (const entry of entries) {
    const model = readModel(entry);
    if (model !== undefined && models.size < MAX_MODELS && !models.has(model.name)) models.set(model.name, model);
  }
  return [...models.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Entry {
  readonly [key: string]: unknown;
}

function asEntry(value: unknown): Entry | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Entry) : undefined;
}

function entriesOf(answer: unknown): readonly unknown[] | undefined {
  const body = asEntry(answer);
  return [answer, body?.data, body?.models].find((list): list is unknown[] => Array.isArray(list));
}

function readModel(value: unknown): ListedModel | undefined {
  const entry = asEntry(value);
  const name = [entry?.id, entry?.name, entry?.model, entry?.model_name].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  if (entry === undefined || typeof name !== "string" || name.length > MAX_NAME_CHARS) return undefined;
  const contextWindow = windowOf(entry);
  const vision = visionOf(entry);
  const efforts = effortsOf(entry);
  const price = readPrice(asEntry(entry.pricing), asEntry(entry.model_info) ?? entry);
  return {
    name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(vision === undefined ? {} : { vision }),
    ...(efforts === undefined ? {} : { efforts }),
    ...(price === undefined ? {} : { price }),
  };
}

/** OpenRouter, vLLM, LM Studio (what is loaded before what would be possible), llama.cpp, LiteLLM, Anthropic. */
function windowOf(entry: Entry): number | undefined {
  const meta = asEntry(entry.meta);
  const info = asEntry(entry.model_info);
  return [
    entry.context_length,
    entry.max_model_len,
    entry.loaded_context_length,
    entry.max_context_length,
    entry.context_window,
    entry.max_input_tokens,
    info?.max_input_tokens,
    meta?.n_ctx,
    meta?.n_ctx_train,
  ].find((tokens): tokens is number => Number.isSafeInteger(tokens) && (tokens as number) > 0);
}

function visionOf(entry: Entry): boolean | undefined {
  const inputs = asEntry(entry.architecture)?.input_modalities;
  if (Array.isArray(inputs)) return inputs.includes("image");
  const flags = [
    entry.supports_vision,
    asEntry(entry.model_info)?.supports_vision,
    asEntry(entry.capabilities)?.vision,
  ];
  const found = flags.find((value) => typeof value === "boolean");
  if (typeof found === "boolean") return found;
  return entry.type === "vlm" ? true : undefined;
}

/** What every model that takes an effort takes, where its server does not list them one by one. */
const USUAL_EFFORTS: readonly ReasoningEffort[] = ["low", "medium", "high"];

/** OpenRouter lists efforts, or only that there are some; LiteLLM the names of the parameters a model takes. */
function effortsOf(entry: Entry): readonly ReasoningEffort[] | undefined {
  const listed = asEntry(entry.reasoning)?.supported_efforts;
  if (Array.isArray(listed)) return readEfforts(listed);
  const parameters = entry.supported_parameters ?? asEntry(entry.model_info)?.supported_openai_params;
  if (!Array.isArray(parameters)) return undefined;
  return ["reasoning", "reasoning_effort"].some((name) => parameters.includes(name)) ? USUAL_EFFORTS : [];
}
