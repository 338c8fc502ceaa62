import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { LEAST_MIN_CHARS } from "./shorten-result.ts";

const count = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(minimum), v.maxValue(maximum));

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  at_fraction: v.optional(v.pipe(v.number(), v.minValue(0.05), v.maxValue(1)), 0.6),
  keep_messages: v.optional(count(1, 1_000), 20),
  min_chars: v.optional(count(LEAST_MIN_CHARS, 1_000_000), 4_000),
});

export type PruningSectionValue = v.InferOutput<typeof schema>;

/** The section `pruning` (B56). */
export const pruningSection = {
  name: "pruning",
  title: "Older tool results",
  category: "Model",
  description: "Shortens what older tool results show of themselves to the model; nothing stored changes.",
  schema,
  fields: {
    enabled: {
      label: "Pruning",
      description: "Shorten older tool results when a conversation gets long.",
      type: "bool",
      agent_may_change: true,
    },
    at_fraction: {
      label: "From",
      description:
        "Share of the model's context window from which on results are shortened; 4 characters count a token.",
      type: "number",
      agent_may_change: true,
      minimum: 0.05,
      maximum: 1,
      depends_on: { key: "enabled", equals: true },
    },
    keep_messages: {
      label: "Messages kept whole",
      description: "The newest messages, which are never touched.",
      type: "number",
      agent_may_change: true,
      minimum: 1,
      maximum: 1_000,
      depends_on: { key: "enabled", equals: true },
    },
    min_chars: {
      label: "Smallest result",
      description: "Characters a result must have to be shortened; smaller ones are left alone.",
      type: "number",
      agent_may_change: true,
      minimum: LEAST_MIN_CHARS,
      maximum: 1_000_000,
      depends_on: { key: "enabled", equals: true },
    },
  },
} as const satisfies SettingsSection;
