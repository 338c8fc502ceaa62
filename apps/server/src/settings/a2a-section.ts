import * as v from "valibot";

const line = (limit: number) => v.pipe(v.string(), v.trim(), v.maxLength(limit));
const needed = (limit: number) => v.pipe(line(limit), v.nonEmpty("must not be blank"));

const jsonObject = v.custom<{ readonly [key: string]: unknown }>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a mapping",
);

const skillSchema = v.object({
  id: needed(128),
  name: needed(200),
  description: needed(4000),
  tags: v.optional(v.array(needed(100)), []),
  examples: v.optional(v.array(needed(4000)), []),
  result_mime: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.+-]+\/[\w.+-]+$/, "expected a MIME type such as application/json")),
  ),
  output_schema: v.optional(jsonObject),
});

const schema = v.object({
  description: v.optional(
    line(4000),
    "An autonomous agent: it plans, uses its tools, and asks when a person has to decide.",
  ),
  skills: v.optional(v.pipe(v.array(skillSchema), v.maxLength(200, "expected at most 200 skills")), []),
  require_routable_url: v.optional(v.boolean(), false),
  allowed_models: v.optional(v.pipe(v.array(needed(256)), v.maxLength(200, "expected at most 200 patterns")), ["*"]),
});

export type A2aSectionValue = v.InferOutput<typeof schema>;

/** The section `a2a`: the agent's card, and the models of peers. A skill with an output schema is structured (A17). */
export const a2aSection = {
  name: "a2a",
  title: "Agent card",
  category: "Publish",
  description: "What the agent's card shows to other agents, and what they may request.",
  schema,
  environment: [
    {
      name: "A2A_PUBLIC_URL",
      meaning: "Base of the address on the agent's card; default the loopback address with the bound port.",
    },
  ],
  fields: {
    description: { label: "Description", description: "What this agent does, for other agents.", type: "text" },
    skills: {
      label: "Skills",
      description:
        "A list of {id, name, description, tags, examples, result_mime, output_schema}. A skill with an output_schema answers with data that fits it.",
      type: "json",
    },
    require_routable_url: {
      label: "Require a routable address",
      description: "Refuse to start when the card would advertise a loopback address (see A2A_PUBLIC_URL).",
      type: "bool",
      restart: true,
    },
    allowed_models: {
      label: "Models for peers",
      description:
        "Models that callers with the federation token may name, besides the lead: `metadata.model` over A2A, `model` on /v1. As in `model.name`; `*` matches any characters. An empty list leaves them the lead alone.",
      type: "string_list",
      security: true,
    },
  },
  example: [
    "skills:",
    "  - id: summarize",
    "    name: Summarize",
    "    description: Summarizes a document.",
    "    tags: [text]",
  ].join("\n"),
} as const;
