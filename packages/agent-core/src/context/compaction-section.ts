import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { CompactionTrigger } from "./context-settings.ts";

const MAX_KEEP = 500;

/** Reads `fraction:0.8`, `tokens:60000` or `messages:200`; undefined: it is none of them. */
export function readTrigger(text: string): CompactionTrigger | undefined {
  const [, kind, digits] = /^(fraction|tokens|messages):(\d{1,9}(?:\.\d{1,6})?)$/.exec(text.trim()) ?? [];
  const value = Number(digits);
  if (kind === "fraction") return value >= 0.05 && value <= 1 ? { kind, value } : undefined;
  if (kind !== "tokens" && kind !== "messages") return undefined;
  return Number.isInteger(value) && value >= (kind === "tokens" ? 1_000 : 10) ? { kind, value } : undefined;
}

const schema = v.object({
  enabled: v.optional(v.boolean(), false),
  trigger: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(
        (text) => readTrigger(text) !== undefined,
        "expected fraction:<0.05 to 1>, tokens:<1000 or more> or messages:<10 or more>",
      ),
    ),
    "fraction:0.8",
  ),
  keep_messages: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(2), v.maxValue(MAX_KEEP)), 20),
  model: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(256)), ""),
});

export type CompactionSectionValue = v.InferOutput<typeof schema>;

/** The section `compaction` (B57). */
export const compactionSection = {
  name: "compaction",
  title: "Long conversations",
  category: "Model",
  description: "Replaces the older part of a long conversation by a summary; nothing stored changes.",
  schema,
  fields: {
    enabled: {
      label: "Compaction",
      description: "Let the model summarise the older part of a conversation that gets too long. Costs a model call.",
      type: "bool",
      agent_may_change: true,
    },
    trigger: {
      label: "From",
      description:
        "When: fraction:<share of the model's context window>, tokens:<number> or messages:<number>; 4 characters count a token.",
      type: "string",
      agent_may_change: true,
      depends_on: { key: "enabled", equals: true },
    },
    keep_messages: {
      label: "Messages kept",
      description: "The newest messages, which are shown on as they are.",
      type: "number",
      agent_may_change: true,
      minimum: 2,
      maximum: MAX_KEEP,
      depends_on: { key: "enabled", equals: true },
    },
    model: {
      label: "Summarised by",
      description: "The model that writes the summary; blank: the main model, which answers.",
      type: "string",
      depends_on: { key: "enabled", equals: true },
    },
  },
} as const satisfies SettingsSection;
