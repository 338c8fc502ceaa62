/**
 * The model port: one streaming call to one model. Adapters implement a wire protocol; retry, lanes and usage are
 * wrappers around this port, composed once.
 */

/** Content of a user message. */
export type ModelContent =
  /** `aside`: it stands beside what was said, such as what the agent remembered for it. */
  | { readonly kind: "text"; readonly text: string; readonly aside?: true }
  /** `data` is base64 without a prefix. */
  | { readonly kind: "image"; readonly mediaType: string; readonly data: string };

/** A tool call as the model made it; `args` is the raw JSON text, valid or not. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** One message of what the model is shown. The system text travels apart. */
export type ModelMessage =
  | { readonly role: "user"; readonly content: readonly ModelContent[] }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly text: string };

/** A tool as the model is shown it. `parameters` is a JSON Schema object. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [key: string]: unknown };
}

/** How much a model reasons before it answers, from not at all to the most. Each model takes some of these values. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** One of them. */
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Sampling and limits; absent values are not sent. B52 `model`. */
export interface ModelSettings {
  readonly reasoningEffort?: ReasoningEffort;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Asks for the same answer to the same request, where the provider can. */
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly chatTemplateKwargs?: { readonly [key: string]: unknown };
  /** Further body parameters, merged last. */
  readonly extraBody?: { readonly [key: string]: unknown };
}

/** How long a provider keeps a cached prefix. */
export type CacheTtl = "5m" | "1h";

/** The messages, tools and settings of one model call. */
export interface ModelRequest {
  /** The model's name at its provider, without the connection. */
  readonly model: string;
  readonly system?: string;
  /** Characters at the beginning of `system` that are the same in every turn; absent: all of it. */
  readonly stableSystemChars?: number;
  /**
   * Asks the provider to cache the prefix (B55 `prompt_cache`): marks go behind the tools and the stable part of
   * the system text, and on the newest messages that can carry one. Adapters whose wire knows no marks leave it out.
   */
  readonly cache?: { readonly ttl: CacheTtl };
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly settings: ModelSettings;
  /** What was written of the same conversation in former calls; absent: nothing is kept of it. */
  readonly written?: WrittenConversation;
}

/**
 * Where an adapter keeps the serialized form of a conversation's messages from call to call. Its owner counts `bytes`
 * against a bound and drops it with the conversation.
 */
export interface WrittenConversation {
  /** The adapter's own data; an adapter that finds another's replaces it. */
  kept: object | undefined;
  bytes: number;
}

/** Tokens of one call. `input` includes the cached ones. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The provider reported how many tokens were cached, possibly zero; absent where it reported nothing. */
  readonly cacheCounted?: true;
}

/** Why the model stopped. */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "other";

/**
 * What a call yields, in order. Text and reasoning are increments. A tool call is yielded once, whole. `usage` comes
 * at most once, `finish` exactly once and last.
 */
export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "tool-call"; readonly call: ModelToolCall }
  | { readonly kind: "usage"; readonly usage: ModelUsage }
  | { readonly kind: "finish"; readonly reason: FinishReason };

/** Signal, priority and callbacks of one model call. */
export interface ModelCallOptions {
  /** Aborts the call and its socket. The iterable then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called by the retry wrapper before each retry, with the failure that caused it. */
  readonly onRetry?: (failure: { readonly attempt: number; readonly error: unknown; readonly waitMs: number }) => void;
  /** Who waits for the answer: a lane keeps slots for interactive callers. Default `default`. */
  readonly priority?: ModelPriority;
  /** Carried to the provider as the header of that name (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** Which calls go first (B46). `interactive`: a person waits for the answer; `bulk`: no one does. */
export type ModelPriority = "interactive" | "default" | "bulk";

/** A model behind some wire. Rejects with `ModelError`. */
export interface Model {
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelEvent>;
}
