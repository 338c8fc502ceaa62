/**
 * What a task cost (A11, N1, N4): in its metadata under one URI and in one shape in both versions, and for 0.3
 * also as `data` (A11), with its own names of tokens.
 */
import type { Metadata } from "../message/index.ts";
import type { WireTaskData } from "./wire.ts";

/**
 * Key of the metadata that carries what a task cost: `{usage: {inputTokens, outputTokens, totalTokens,
 * cacheReadInputTokens, cacheCreationInputTokens}, durationMs, costUsd?, success?}`.
 */
export const COST_EXTENSION = "urn:agent-service:a2a:ext:cost-v1";

type Fields = { readonly [field: string]: unknown };

/** The Task's `data` (A11), read from the model's metadata; absent where the task has none. */
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
