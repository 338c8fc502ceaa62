/**
 * What a task cost, which stands in its metadata in both versions (rulings A11, N1). The model and 1.0 name every field
 * in camelCase (ruling N4, A2A 1.0.1 "Encodings"); 0.3 has document 1's names of tokens, here and in `data`.
 */
import type { Metadata } from "../message/index.ts";
import type { WireTaskData } from "./wire.ts";

/** Key of the metadata that carries what a task cost. */
export const COST_EXTENSION = "urn:agent-service:a2a:ext:cost-v1";

type Fields = { readonly [field: string]: unknown };

const wireNames: ReadonlyMap<string, string> = new Map([
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["totalTokens", "total_tokens"],
  ["cacheReadInputTokens", "cache_read_input_tokens"],
  ["cacheCreationInputTokens", "cache_creation_input_tokens"],
]);
const modelNames: ReadonlyMap<string, string> = new Map([...wireNames].map(([model, wire]) => [wire, model]));

/** Metadata of a task or a frame as 0.3 has it. */
export function metadataToWire(metadata: Metadata): Metadata {
  return withTokens(metadata, wireNames);
}

/** Metadata of a task or a frame of 0.3 as the model has it. */
export function metadataFromWire(metadata: Metadata): Metadata {
  return withTokens(metadata, modelNames);
}

function withTokens(metadata: Metadata, names: ReadonlyMap<string, string>): Metadata {
  const cost = metadata[COST_EXTENSION];
  if (!isObject(cost) || !isObject(cost.usage)) return metadata;
  const usage: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(cost.usage)) usage[names.get(name) ?? name] = value;
  return { ...metadata, [COST_EXTENSION]: { ...cost, usage } };
}

/** Document 1's `data`, read from the model's metadata; absent where the task has none. */
export function dataOf(metadata: Metadata | undefined): WireTaskData | undefined {
  const cost = metadata?.[COST_EXTENSION];
  if (!isObject(cost)) return undefined;
  const { usage, durationMs } = cost;
  return {
    ...(isObject(usage) && { usage: usageOf(usage) }),
    ...(typeof durationMs === "number" && { durationMs: Math.round(durationMs) }),
  };
}

function usageOf({ inputTokens, outputTokens, totalTokens }: Fields): NonNullable<WireTaskData["usage"]> {
  const input_tokens = count(inputTokens);
  const output_tokens = count(outputTokens);
  const total_tokens = typeof totalTokens === "number" ? totalTokens : input_tokens + output_tokens;
  return { input_tokens, output_tokens, total_tokens };
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
