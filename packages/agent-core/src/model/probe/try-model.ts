import { type Clock, systemClock } from "../../clock/index.ts";
import { ModelConfigError } from "../model-config-error.ts";
import { ModelError } from "../model-error.ts";
import type { Model, ModelEvent, ModelRequest } from "../model-port.ts";

/** How one part of a trial went. Times are milliseconds. */
export type TrialOutcome =
  | { readonly ok: true; readonly ms: number }
  | {
      readonly ok: false;
      readonly ms: number;
      readonly error: string;
      /** Of the call; absent: the model was called, and what it did was not what was asked of it. */
      readonly cause?: unknown;
    };

/** A trial of a model: one answer, then one tool call. */
export interface ModelTrial {
  readonly answer: TrialOutcome;
  /** Absent when there was no answer: it would fail the same way. */
  readonly toolCall?: TrialOutcome;
}

export interface TryModelOptions {
  readonly model: Model;
  /** The model's name at its provider. */
  readonly name: string;
  readonly signal?: AbortSignal;
  /** Milliseconds for each of the two calls. Default 60,000. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

/** Enough for a model that reasons before it answers. */
const MAX_TOKENS = 1_024;

const TOOL = {
  name: "report_ready",
  description: "Reports that you are ready.",
  parameters: {
    type: "object",
    properties: { ready: { type: "boolean" } },
    required: ["ready"],
    additionalProperties: false,
  },
} as const;

/** Tries a model as a turn would use it; the result names the part that failed. Rejects only on abort. */
export async function tryModel(options: TryModelOptions): Promise<ModelTrial> {
  const answer = await attempt(options, { text: "Answer with the single word: ready", tools: [] }, (events) =>
    events.some(({ kind }) => kind === "text" || kind === "reasoning") ? undefined : "the answer was empty",
  );
  if (!answer.ok) return { answer };
  const text = `Call the tool ${TOOL.name} with ready set to true. Do not answer with text.`;
  const toolCall = await attempt(options, { text, tools: [TOOL] }, (events) => {
    const calls = events.flatMap((event) => (event.kind === "tool-call" ? [event.call] : []));
    if (calls.length === 0) return "it answered without calling the tool it was given";
    return calls.some(({ name, args }) => name === TOOL.name && isObject(args))
      ? undefined
      : "it called a tool in a way that cannot be read";
  });
  return { answer, toolCall };
}

async function attempt(
  { model, name, signal, timeoutMs = 60_000, clock = systemClock() }: TryModelOptions,
  { text, tools }: { readonly text: string; readonly tools: ModelRequest["tools"] },
  judge: (events: readonly ModelEvent[]) => string | undefined,
): Promise<TrialOutcome> {
  const began = clock.now();
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), timeoutMs);
  const request: ModelRequest = {
    model: name,
    messages: [{ role: "user", content: [{ kind: "text", text }] }],
    tools,
    settings: { maxTokens: MAX_TOKENS },
  };
  const events: ModelEvent[] = [];
  try {
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    for await (const event of model.stream(request, { signal: either, priority: "interactive" })) events.push(event);
    const error = judge(events);
    const ms = clock.now() - began;
    return error === undefined ? { ok: true, ms } : { ok: false, ms, error };
  } catch (error) {
    signal?.throwIfAborted();
    const isLate = late.signal.aborted;
    const message = isLate ? `no answer within ${timeoutMs} ms` : describe(error);
    const cause = isLate ? new ModelError("timeout", message) : error;
    return { ok: false, ms: clock.now() - began, error: message, cause };
  } finally {
    timer.cancel();
  }
}

/** Only our own errors have messages for people. */
function describe(error: unknown): string {
  if (error instanceof ModelError || error instanceof ModelConfigError) return error.message;
  return "the call failed";
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
