import type { Clock } from "../clock/index.ts";
import type { Model, ModelRequest } from "../model/index.ts";

/** B55 `prompt_cache.warm`. */
export interface WarmSettings {
  readonly enabled: boolean;
  readonly intervalMs: number;
}

/** What the heartbeat needs. */
export interface KeepWarmOptions {
  /** Asked at every look, so that it can be switched on and off while the service runs. */
  readonly settings: () => WarmSettings;
  /** The lead model with the prefix its turns have: system text and tools. */
  readonly prefix: () => { readonly model: Model; readonly request: Omit<ModelRequest, "messages"> };
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** A heartbeat. */
export interface WarmHeart {
  /** Beats if it is time to; to be called every few seconds. */
  look(): void;
  /** Ends it, and a call under way. */
  stop(): void;
}

/** What the model is asked for one token of answer to. */
const PROBE = [{ role: "user", content: [{ kind: "text", text: "ping" }] }] as const;

/**
 * Keeps a provider's cache of the prompt's prefix warm: a call for one token every interval, with the bytes that turns
 * begin with. A call that fails is told of once, until one succeeds again.
 */
export function keepWarm({ settings, prefix, clock, warn }: KeepWarmOptions): WarmHeart {
  const abort = new AbortController();
  let last = clock.now();
  let beating = false;
  let failing = false;

  async function beat(): Promise<void> {
    beating = true;
    try {
      const { model, request } = prefix();
      const asked = { ...request, messages: PROBE, settings: { ...request.settings, maxTokens: 1 } };
      for await (const event of model.stream(asked, { signal: abort.signal })) void event;
      failing = false;
    } catch (error) {
      if (failing || abort.signal.aborted) return;
      failing = true;
      warn(`the prompt cache could not be kept warm: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      beating = false;
    }
  }

  return {
    look() {
      const { enabled, intervalMs } = settings();
      const now = clock.now();
      if (!enabled) last = now;
      if (!enabled || beating || now - last < intervalMs) return;
      last = now;
      void beat();
    },
    stop: () => abort.abort(),
  };
}
