/** How much of a conversation the model is shown, from settings (document 3 `pruning`). */
import type { ContextSettings } from "@agent-service/agent-core";
import type { ServerSettings } from "./sections/index.ts";

/** Maps the sections to the engine's settings. */
export function contextSettings({ pruning }: Pick<ServerSettings, "pruning">): ContextSettings {
  return {
    pruning: {
      enabled: pruning.enabled,
      atFraction: pruning.at_fraction,
      keepMessages: pruning.keep_messages,
      minChars: pruning.min_chars,
    },
  };
}
