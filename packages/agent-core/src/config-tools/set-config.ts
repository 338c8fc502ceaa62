import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const MAX_KEYS = 100;

/**
 * `set_config(updates)` (B89): flat dotted keys, all or none. What may not be changed by a model is the
 * host's to refuse. Saving the same values again changes nothing.
 */
export function setConfig(save: (updates: { readonly [key: string]: unknown }) => Promise<readonly string[]>): AnyTool {
  return defineTool({
    name: "set_config",
    description:
      "Change this agent's own settings. All of them are saved or none. Only settings that tune how the agent answers can be changed here.",
    input: v.object({
      updates: v.pipe(
        v.record(v.pipe(v.string(), v.maxLength(200)), v.unknown()),
        v.minEntries(1, "name at least one setting"),
        v.maxEntries(MAX_KEYS),
        v.description('Values by full dotted key, for example {"model.temperature": 0.4}.'),
      ),
    }),
    effect: "idempotent",
    availableTo: ["lead", "subagents"],
    content: "own",
    present: { asks: "Change settings?", doing: "Changing settings", done: "Changed settings" },
    run: async ({ updates }) => (await save(updates)).join("\n"),
  });
}
