import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const TTLS = ["", "5m", "1h"] as const;
/** Longest heartbeat period, a week. */
const MAX_INTERVAL = 604_800;

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  ttl: v.optional(v.picklist(TTLS), ""),
  force: v.optional(v.boolean(), false),
  warm: v.optional(
    v.object({
      enabled: v.optional(v.boolean(), false),
      interval_seconds: v.optional(v.pipe(v.number(), v.minValue(30), v.maxValue(MAX_INTERVAL)), 3_300),
    }),
    {},
  ),
});

export type PromptCacheSectionValue = v.InferOutput<typeof schema>;

/** The section `prompt_cache` (B55). */
export const promptCacheSection = {
  name: "prompt_cache",
  title: "Prompt cache",
  category: "Model",
  description: "Asks the provider to keep the beginning of the prompt, which is the same from call to call.",
  schema,
  fields: {
    enabled: {
      label: "Prompt cache",
      description:
        "Mark the stable beginning of the prompt for the provider's cache. A provider that refuses the marks is asked without them.",
      type: "bool",
      agent_may_change: true,
    },
    ttl: {
      label: "Kept for",
      description:
        "How long the provider keeps it. Blank decides by how the service runs: 1h for fleet members and the desktop app, else 5m.",
      type: "select",
      agent_may_change: true,
      options: TTLS,
      depends_on: { key: "enabled", equals: true },
    },
    force: {
      label: "Always mark",
      description: "Mark even for a provider that refuses the marks; its refusal is then the call's failure.",
      type: "bool",
      depends_on: { key: "enabled", equals: true },
    },
    "warm.enabled": {
      label: "Keep it warm",
      description:
        "Ask the lead model for one token now and then, so that the cached beginning is not dropped. Costs money.",
      type: "bool",
      depends_on: { key: "enabled", equals: true },
    },
    "warm.interval_seconds": {
      label: "Heartbeat",
      description: "Seconds between two such calls; less than the time the provider keeps the cache.",
      type: "number",
      minimum: 30,
      maximum: MAX_INTERVAL,
      depends_on: { key: "warm.enabled", equals: true },
    },
  },
} as const satisfies SettingsSection;
