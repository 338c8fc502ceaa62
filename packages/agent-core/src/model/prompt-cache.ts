/**
 * Asks providers to cache the prefix of the prompt (B55 `prompt_cache`): a wrapper around models that adds the
 * markers, continues without them where a provider refuses them, and notices where they do nothing.
 *
 * Invariants
 *  PC1  A refusal costs one more call, and only before anything was yielded; from then on the model is asked plainly.
 *  PC2  What a call yields is not touched. Its events are looked at only while it is not known whether caching works.
 *  PC3  One warning per model and process at most of each kind, whatever is configured meanwhile.
 */
import { type Clock, systemClock } from "../clock/index.ts";
import { ModelError } from "./model-error.ts";
import type {
  CacheTtl,
  Model,
  ModelCallOptions,
  ModelEvent,
  ModelRequest,
  ModelTool,
  ModelUsage,
} from "./model-port.ts";

/** B55 `prompt_cache`, as the wrapper uses it. */
export interface PromptCacheSettings {
  readonly enabled: boolean;
  readonly ttl: CacheTtl;
  /** Always attach, never fall back. */
  readonly force: boolean;
}

export interface PromptCacheOptions {
  /** Asked at every call. */
  readonly settings: () => PromptCacheSettings;
  readonly warn: (message: string) => void;
  readonly clock?: Clock;
}

/** One for all connections of a process, those of former settings too. */
export interface PromptCache {
  /** Wraps the model of a connection; what is learned of it holds as long as this wrapper: another address may differ. */
  wrap(connection: string, model: Model): Model;
}

/** Characters of a prefix below which no provider caches it, so that a miss means nothing. */
const LEAST_PREFIX_CHARS = 4_096;
/** Calls in a row without a cached token before the warning. */
const SILENT_CALLS = 3;
/** Models remembered. Names can come from callers. */
const MAX_MODELS = 1_000;
const TTL_MS: Readonly<Record<CacheTtl, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** A refusal names the field, or what our markers make of a message: a list where some servers know only text. */
const REFUSALS: readonly RegExp[] = [
  /cache[_ -]?control|prompt[_ -]?cach|\bephemeral\b/i,
  /content.{0,80}(?:must be|should be|expected|valid|type).{0,30}\b(?:str|string|text)\b/i,
  /(?:invalid type: sequence|got (?:an? )?(?:list|array)|cannot unmarshal array).{0,80}(?:string|content)/i,
];

function refusesMarkers(error: unknown): boolean {
  if (!(error instanceof ModelError) || error.code !== "bad_request") return false;
  return REFUSALS.some((phrase) => phrase.test(error.message));
}

/** What is known of one model at one connection. */
interface Known {
  readonly name: string;
  refused: boolean;
  /** Whether caching works, or that it does not, has been seen. */
  settled: boolean;
  silent: number;
  /** Whether any of those calls reported how many tokens were cached. */
  counted: boolean;
  lastAt: number;
}

/** Creates the wrapper that asks providers to cache prompts (B55); a model whose provider refused is no longer asked, unless `force`. */
export function createPromptCache(options: PromptCacheOptions): PromptCache {
  const shared = { warn: warnOnce(options.warn), clock: options.clock ?? systemClock() };
  return {
    wrap(connection, model) {
      const models = new Map<string, Known>();
      const measure = prefixMeasure();
      return {
        stream(request, callOptions) {
          const settings = options.settings();
          if (!settings.enabled) return model.stream(request, callOptions);
          const known = knownModel(models, connection, request.model);
          if (known.refused && !settings.force) return model.stream(request, callOptions);
          const parts = { model, known, settings, shared, request, options: callOptions, prefix: measure(request) };
          return { [Symbol.asyncIterator]: () => new CachedCall(parts) };
        },
      };
    },
  };
}

type Warning = "refused" | "no-hit";
type WarnOnce = (kind: Warning, model: string, message: string) => void;

/** Beyond the bound nothing more is logged: to forget a model would be to warn of it again. */
function warnOnce(warn: (message: string) => void): WarnOnce {
  const warned = new Set<string>();
  return (kind, model, message) => {
    const key = `${kind} ${model}`;
    if (warned.has(key) || warned.size >= MAX_MODELS) return;
    warned.add(key);
    warn(message);
  };
}

function knownModel(models: Map<string, Known>, connection: string, model: string): Known {
  const name = `${connection}:${model}`;
  let known = models.get(name);
  if (known === undefined) {
    if (models.size >= MAX_MODELS) models.clear();
    known = { name, refused: false, settled: false, silent: 0, counted: false, lastAt: Number.NEGATIVE_INFINITY };
    models.set(name, known);
  }
  return known;
}

/** Characters of tools and system text; the tools are the same array from call to call and measured once. */
function prefixMeasure(): (request: ModelRequest) => number {
  let tools: readonly ModelTool[] | undefined;
  let chars = 0;
  return (request) => {
    if (request.tools !== tools) {
      tools = request.tools;
      chars = JSON.stringify(tools).length;
    }
    return chars + (request.stableSystemChars ?? request.system?.length ?? 0);
  };
}

interface CallParts {
  readonly model: Model;
  readonly known: Known;
  readonly settings: PromptCacheSettings;
  readonly shared: { readonly clock: Clock; readonly warn: WarnOnce };
  readonly request: ModelRequest;
  readonly options: ModelCallOptions;
  /** Characters of the prefix. */
  readonly prefix: number;
}

type Result = IteratorResult<ModelEvent, undefined>;

class CachedCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #parts: CallParts;
  #attempt: AsyncIterator<ModelEvent, undefined>;
  #yielded = false;
  readonly #watched: boolean;

  constructor(parts: CallParts) {
    this.#parts = parts;
    const { known, settings, prefix, request } = parts;
    this.#watched = !known.settled && prefix >= LEAST_PREFIX_CHARS;
    this.#attempt = this.#begin({ ...request, cache: { ttl: settings.ttl } });
  }

  next(): Promise<Result> {
    if (!this.#yielded) return this.#first();
    const result = this.#attempt.next();
    return this.#watched ? result.then(this.#observe) : result;
  }

  async return(): Promise<Result> {
    await this.#attempt.return?.();
    return { done: true, value: undefined };
  }

  #begin(request: ModelRequest): AsyncIterator<ModelEvent, undefined> {
    return this.#parts.model.stream(request, this.#parts.options)[Symbol.asyncIterator]();
  }

  async #first(): Promise<Result> {
    const { known, settings, options, request, shared } = this.#parts;
    let result: Result;
    try {
      result = await this.#attempt.next();
    } catch (error) {
      if (settings.force || !refusesMarkers(error)) throw error;
      options.signal.throwIfAborted();
      if (!known.refused) {
        const why = error instanceof Error ? error.message : String(error);
        const text = `the model ${known.name} refuses cache markers and is asked without them from now on: ${why}`;
        shared.warn("refused", known.name, text);
      }
      known.refused = true;
      options.onRetry?.({ attempt: 1, error, waitMs: 0 });
      this.#attempt = this.#begin(request);
      this.#yielded = true;
      return this.#attempt.next();
    }
    this.#yielded = true;
    return this.#watched ? this.#observe(result) : result;
  }

  readonly #observe = (result: Result): Result => {
    if (result.done !== true && result.value.kind === "usage" && !this.#parts.known.refused)
      this.#count(result.value.usage);
    return result;
  };

  /** The first call writes the cache; those soon after it should read it. */
  #count(usage: ModelUsage): void {
    const { known, settings, shared } = this.#parts;
    const now = shared.clock.now();
    const lapsed = now - known.lastAt >= TTL_MS[settings.ttl];
    known.lastAt = now;
    if (usage.cacheRead > 0) {
      known.settled = true;
      return;
    }
    known.counted ||= usage.cacheCounted === true;
    known.silent = lapsed ? 1 : known.silent + 1;
    if (known.silent < SILENT_CALLS || known.settled) return;
    known.settled = true;
    const text = known.counted
      ? `the prompt cache of the model ${known.name} had no hit in ${known.silent} calls: its provider counted no cached token`
      : `whether the prompt cache of the model ${known.name} works is not known: its provider does not say how many tokens were cached`;
    shared.warn("no-hit", known.name, text);
  }
}
