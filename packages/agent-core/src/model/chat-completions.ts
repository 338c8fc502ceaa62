import { compatGateway } from "./compat-gateway/index.ts";
import type { ModelError } from "./model-error.ts";
import type { Model, ModelSettings, ReasoningEffort } from "./model-port.ts";
import type { KnownPrice } from "./model-price.ts";

/** Whether a model takes images, as far as is known. */
export interface ImageSupport {
  /** Undefined: not known. Images are sent then, and left out once the provider refuses them. */
  taken(): boolean | undefined;
  /** The provider refused them. */
  refused(): void;
}

/** The reasoning efforts a model takes, as far as is known. */
export interface EffortSupport {
  /** Undefined: not known. An effort is sent then, and left out once the provider refuses it. */
  taken(): readonly ReasoningEffort[] | undefined;
  /** The provider refused this one. */
  refused(effort: ReasoningEffort): void;
}

/** Counts the turns that use a model. Every `begin` has one `end`. */
export interface ModelUse {
  begin(): void;
  end(): void;
}

/** A model to run an agent on: where to send calls and what to call it there. */
export interface ModelChoice {
  readonly model: Model;
  /** The model's name at its provider, which goes into `ModelRequest.model`. */
  readonly name: string;
  /** Sampling and limits of every call. */
  readonly settings?: ModelSettings;
  /** Tokens of the model's context window; absent: 80,000 (R13). */
  readonly windowTokens?: number;
  /** Models to try in order when it fails before its first event (B65 `routing.fallback_models`). */
  readonly fallbacks?: readonly ModelChoice[];
  /**
   * What the operator can do about a failure, in one line; undefined: nothing beyond its message. For the operator
   * only: it may name addresses and files.
   */
  explain?(error: ModelError): string | undefined;
  /** Frees what the model holds, sockets for instance, after its running calls. */
  close?(): Promise<void>;
  /** What it costs; absent: not known. */
  readonly price?: KnownPrice | undefined;
  /** Whether it takes images; absent: not known. */
  readonly images?: ImageSupport;
  /** The reasoning efforts it takes; absent: not known. */
  readonly efforts?: EffortSupport;
  readonly use?: ModelUse;
  /** Slash commands that are its own (R10), without the slash; absent: it has none. */
  readonly commands?: readonly string[] | undefined;
}

/** Where a model of an OpenAI-compatible server is, and how to call it. */
export interface ChatCompletionsOptions {
  /** Address up to and without `/chat/completions`. */
  readonly baseUrl: string;
  /** The model's name there, for instance `qwen3:8b`. */
  readonly model: string;
  /** Sent as a bearer token; a keyless endpoint is normal. */
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Milliseconds to the first byte, then between bytes (R6). Default 120,000. */
  readonly requestTimeoutMs?: number;
  /** Sampling and limits of every call. */
  readonly settings?: ModelSettings;
  /** Tokens of the model's context window. Default 80,000 (R13). */
  readonly windowTokens?: number;
}

/** A model behind any OpenAI-compatible address. Raises `ModelConfigError` for an address that cannot be one. */
export function chatCompletions(options: ChatCompletionsOptions): ModelChoice {
  const { model: name, settings, windowTokens, ...gateway } = options;
  const model = compatGateway(gateway);
  return {
    model,
    name,
    ...(settings === undefined ? {} : { settings }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
    close: () => model.close(),
  };
}
