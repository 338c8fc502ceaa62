import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const DEFAULTS = { sessions: 10, tokens: 2_000 } as const;

/** Numbers that are no count fall back: who writes zero means the default. */
const count = (fallback: number) =>
  v.optional(
    v.pipe(
      v.number(),
      v.finite(),
      v.transform((wanted) => (wanted >= 1 ? Math.trunc(wanted) : fallback)),
    ),
    fallback,
  );

const schema = v.object({ max_sessions: count(DEFAULTS.sessions), max_tokens: count(DEFAULTS.tokens) });

export type MemorySectionValue = v.InferOutput<typeof schema>;

/** The section `memory`: what a conversation is shown of earlier ones. */
export const memorySection = {
  name: "memory",
  title: "Earlier conversations",
  category: "Behavior",
  description: "What a new conversation is shown of earlier ones: a line each.",
  schema,
  environment: [
    {
      name: "MEMORY_PATH",
      meaning: "Folder of the summaries of conversations; default memory in the instance's folder.",
    },
    { name: "SVC_DISABLE_MEMORY", meaning: "Any value: no summaries of conversations are written." },
  ],
  fields: {
    max_sessions: {
      label: "Conversations",
      description: "Most earlier conversations that are named. Zero and less: the default.",
      type: "number",
    },
    max_tokens: {
      label: "Tokens",
      description: "Most tokens that their lines take, at four characters a token. Zero and less: the default.",
      type: "number",
    },
  },
} as const satisfies SettingsSection;
