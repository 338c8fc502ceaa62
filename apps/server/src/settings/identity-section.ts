import * as v from "valibot";

const text = v.pipe(v.string(), v.trim(), v.maxLength(200));

const schema = v.object({
  name: v.optional(v.pipe(text, v.nonEmpty("must not be blank")), "protoagent"),
  operator: v.optional(text, ""),
  org: v.optional(text, ""),
});

export type IdentitySectionValue = v.InferOutput<typeof schema>;

/** The section `identity`: who the agent is. Its card's name follows it, else `AGENT_NAME` (B11). */
export const identitySection = {
  name: "identity",
  title: "Identity",
  category: "Identity",
  description: "Who this agent is.",
  schema,
  variables: {
    name: {
      variable: "AGENT_NAME",
      mode: "fallback",
      meaning: "Short slug for metrics, traces and logs; default protoagent.",
    },
  },
  fields: {
    name: { label: "Name", description: "The agent's name on its card and in the console.", type: "string" },
    operator: { label: "Operator", description: "The person it works for.", type: "string" },
    org: { label: "Organisation", description: "The organisation it works for.", type: "string" },
  },
} as const;
