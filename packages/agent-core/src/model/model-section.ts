import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { REASONING_EFFORTS } from "./model-port.ts";

const atLeast = (minimum: number) => v.pipe(v.number(), v.finite(), v.minValue(minimum));
const between = (minimum: number, maximum: number) => v.pipe(atLeast(minimum), v.maxValue(maximum));
const countFrom = (minimum: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(minimum));
const modelValue = v.pipe(v.string(), v.trim(), v.nonEmpty("a model needs a name"), v.maxLength(256));

/** A mapping: valibot's own object and record schemas accept lists too. */
export const mappingSchema = v.custom<{ readonly [key: string]: unknown }>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a mapping",
);

/** Types a connection can have (B51 `providers`; `scripted`: R10). */
export const CONNECTION_TYPES = ["compat-gateway", "oauth-subscription-a", "oauth-subscription-b", "scripted"] as const;

/** A key as it can travel in a header: printable ASCII; blanks around it are dropped, blank is none (S1). */
export const apiKeySchema = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x20-\x7e]*$/, "a key may only hold printable ASCII characters"),
  v.maxLength(8192, "a key may have at most 8192 characters"),
);

/** An address of a gateway, blank for none. Keys do not belong into it. */
export const baseUrlSchema = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => text === "" || isPlainHttpUrl(text),
    "expected an http:// or https:// address without a user, password, query or fragment",
  ),
);

function isPlainHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !`${url.username}${url.password}${url.search}${url.hash}`;
}

const schema = v.pipe(
  v.object({
    name: v.optional(modelValue, "protolabs/reasoning"),
    temperature: v.optional(between(0, 2), 0.2),
    max_tokens: v.optional(countFrom(1), 32_768),
    reasoning_effort: v.optional(v.picklist(["", ...REASONING_EFFORTS]), ""),
    max_iterations: v.optional(countFrom(1), 2000),
    favorites: v.optional(v.array(modelValue), []),
    request_timeout: v.optional(between(1, 86_400), 120),
    max_retries: v.optional(v.pipe(countFrom(0), v.maxValue(100)), 2),
    max_inflight: v.optional(countFrom(0), 0),
    inflight_queue_timeout: v.optional(between(0, 86_400), 300),
    inflight_interactive_reserve: v.optional(countFrom(0), 1),
    top_p: v.optional(between(0, 1)),
    presence_penalty: v.optional(between(-2, 2)),
    repetition_penalty: v.optional(between(0, 10)),
    top_k: v.optional(v.pipe(v.number(), v.safeInteger()), -1),
    chat_template_kwargs: v.optional(mappingSchema),
    round_hard_cap: v.optional(countFrom(1)),
    provider: v.optional(v.picklist(["", ...CONNECTION_TYPES]), ""),
    api_base: v.optional(baseUrlSchema, ""),
    api_key: v.optional(apiKeySchema, ""),
  }),
  // The reserve is clamped to max_inflight minus 1 (B52 `model`); without a limit it has no effect.
  v.transform((model) =>
    model.max_inflight === 0
      ? model
      : {
          ...model,
          inflight_interactive_reserve: Math.min(model.inflight_interactive_reserve, model.max_inflight - 1),
        },
  ),
);

/** Absent values are not sent to the model. */
export type ModelSectionValue = v.InferOutput<typeof schema>;

/** The section `model` (B52). Its retiring keys feed `resolveConnections`. */
export const modelSection = {
  name: "model",
  title: "Default model",
  category: "Model",
  description: "The lead model and how it is asked.",
  schema,
  secrets: ["api_key"],
  variables: {
    name: { variable: "SVC_MODEL", mode: "override", meaning: "Overrides the lead model on every load." },
    api_base: {
      variable: "MODEL_API_BASE",
      mode: "override",
      meaning: "Address of the gateway that is used without a providers block.",
    },
    api_key: {
      variable: "MODEL_API_KEY",
      mode: "fallback",
      meaning: "Key of the gateway that is used without a providers block.",
    },
  },
  fields: {
    name: {
      label: "Lead model",
      description:
        "The model that answers. `<id>:<model>` names the connection that serves it; a bare name goes to the first gateway.",
      type: "string",
    },
    temperature: {
      label: "Temperature",
      description: "Sampling temperature.",
      type: "number",
      agent_may_change: true,
      minimum: 0,
      maximum: 2,
    },
    max_tokens: {
      label: "Output limit",
      description: "Tokens one call may write.",
      type: "number",
      agent_may_change: true,
      minimum: 1,
    },
    reasoning_effort: {
      label: "Reasoning effort",
      description:
        "How much models reason before they answer, unless a message says otherwise; blank leaves it to the provider. A model that is known not to take the value, or refuses it, is called without one.",
      type: "select",
      options: ["", ...REASONING_EFFORTS],
      agent_may_change: true,
    },
    max_iterations: {
      label: "Iteration limit",
      description: "Bound of the tool loop; a round of tool calls counts about 8.",
      type: "number",
      minimum: 1,
    },
    favorites: {
      label: "Favourite models",
      description: "Models pinned to the quick switch, in order.",
      type: "string_list",
    },
    request_timeout: {
      label: "Request timeout",
      description: "Seconds to the first byte of an answer, and between bytes after it.",
      type: "number",
      agent_may_change: true,
      minimum: 1,
      maximum: 86_400,
    },
    max_retries: {
      label: "Retries",
      description: "How often a call is repeated after a passing failure.",
      type: "number",
      agent_may_change: true,
      minimum: 0,
      maximum: 100,
    },
    max_inflight: {
      label: "Calls at once",
      description: "Model calls at once per queue and process; 0 means no limit.",
      type: "number",
      minimum: 0,
    },
    inflight_queue_timeout: {
      label: "Queue timeout",
      description: "Seconds a call may wait for a slot when calls at once are limited.",
      type: "number",
      minimum: 0,
      maximum: 86_400,
    },
    inflight_interactive_reserve: {
      label: "Interactive reserve",
      description: "Slots reserved for turns a person waits for; at most one less than calls at once.",
      type: "number",
      minimum: 0,
    },
    top_p: {
      label: "Top p",
      description: "Nucleus sampling.",
      type: "number",
      agent_may_change: true,
      minimum: 0,
      maximum: 1,
    },
    presence_penalty: {
      label: "Presence penalty",
      description: "Penalty for tokens that already occurred.",
      type: "number",
      agent_may_change: true,
      minimum: -2,
      maximum: 2,
    },
    repetition_penalty: {
      label: "Repetition penalty",
      description: "Multiplicative penalty for repetition, where the gateway supports it.",
      type: "number",
      agent_may_change: true,
      minimum: 0,
      maximum: 10,
    },
    top_k: {
      label: "Top k",
      description: "Sampling among the k likeliest tokens; negative leaves it to the gateway.",
      type: "number",
      agent_may_change: true,
    },
    chat_template_kwargs: {
      label: "Chat template arguments",
      description: "A mapping that is passed to the gateway's chat template.",
      type: "json",
    },
    round_hard_cap: {
      label: "Round cap",
      description: "Model rounds after which a turn ends with a hand-back.",
      type: "number",
      minimum: 1,
    },
    provider: {
      label: "Provider (earlier setting)",
      description: "Use `providers` instead. Counts only while there is no `providers` block.",
      type: "select",
      options: ["", ...CONNECTION_TYPES],
    },
    api_base: {
      label: "Gateway address (earlier setting)",
      description:
        "Use `providers` instead. Counts only while there is no `providers` block; blank is http://gateway:4000/v1.",
      type: "string",
    },
    api_key: {
      label: "Gateway key (earlier setting)",
      description: "Use a key of `providers` instead. Counts only while there is no `providers` block.",
      type: "secret",
    },
  },
} as const satisfies SettingsSection;
