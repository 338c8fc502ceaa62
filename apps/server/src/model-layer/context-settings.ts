/** The bounds of a model's context and its caching by the provider, from settings (B55 `prompt_cache`, `pruning`, `compaction`). */
import {
  type ContextSettings,
  DEFAULT_CONTEXT_SETTINGS,
  type PromptCacheSettings,
  readTrigger,
} from "@agent-service/agent-core/host";
import type { ServerSettings } from "../settings/index.ts";

/** The part of a conversation that the model is sent. */
export function contextSettings(
  pruning: ServerSettings["pruning"],
  compaction: ServerSettings["compaction"],
): ContextSettings {
  return {
    pruning: {
      enabled: pruning.enabled,
      atFraction: pruning.at_fraction,
      keepMessages: pruning.keep_messages,
      minChars: pruning.min_chars,
    },
    compaction: {
      enabled: compaction.enabled,
      trigger: readTrigger(compaction.trigger) ?? DEFAULT_CONTEXT_SETTINGS.compaction.trigger,
      keepMessages: compaction.keep_messages,
      model: compaction.model,
    },
  };
}

/**
 * Whether and how long the provider is asked to keep the prompt's prefix. Without a ttl it is five minutes: fleet
 * members and the desktop app, whose default is an hour (B55), come with their features.
 */
export function promptCacheSettings({ enabled, ttl, force }: ServerSettings["prompt_cache"]): PromptCacheSettings {
  return { enabled, ttl: ttl === "" ? "5m" : ttl, force };
}
