import type { Clock } from "../clock/index.ts";
import type { Model, ModelRequest } from "../model/index.ts";

/** B55 `prompt_cache.warm`. */
export interface WarmSettings {
  readonly enabled: boolean;
  readonly intervalMs: number;
}

export interface KeepWarmOptions {
  /** Called at every check, so that warming can be switched on and off while the service runs. */
  readonly settings: () => WarmSettings;
  /** The lead model with the prefix its turns have: system text and tools. */
  readonly prefix: () => { readonly model: Model; readonly request: Omit<ModelRequest, "messages"> };
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** Calls a model at intervals so that its provider keeps the prompt cached. */
export interface PromptWarming {
  /** Calls the model if the interval has passed; to be called every few seconds. */
  check(): void;
  /** Stops warming, and cancels a call that runs. */
  stop(): void;
}

/** The message of a warming call, which asks for one token. */
const PROBE = [{ role: "user", content: [{ kind: "text", text: "ping" }] }] as const;

/**
 * Keeps a provider's cache of the prompt's prefix warm: a call for one token every interval, with the bytes that turns
 * begin with. Of failing calls in a row only the first is logged.
 */
export function keepWarm({ settings, prefix, clock, warn }: KeepWarmOptions): PromptWarming {
  const abort = new AbortController();
  let last = clock.now();
  let calling = false;
  let failing = false;

  async function call(): Promise<void> {
    calling = true;
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
      calling = false;
    }
  }

  return {
    check() {
      const { enabled, intervalMs } = settings();
      const now = clock.now();
      if (!enabled) last = now;
      if (!enabled || calling || now - last < intervalMs) return;
      last = now;
      void call();
    },
    stop: () => abort.abort(),
  };
}
