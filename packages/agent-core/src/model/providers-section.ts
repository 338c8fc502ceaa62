import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { REASONING_EFFORTS } from "./model-port.ts";
import { apiKeySchema, baseUrlSchema, CONNECTION_TYPES, mappingSchema } from "./model-section.ts";

const price = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const secretText = v.optional(apiKeySchema, "");

const subscriptionFields = {
  access_token: secretText,
  refresh_token: secretText,
  expires_at: v.optional(v.union([v.string(), v.number()])),
  token_endpoint: v.optional(baseUrlSchema, ""),
  client_id: secretText,
};

/** What a subscription is entered with (R9). `expires_at` is an ISO-8601 time or seconds since 1970. */
export const SUBSCRIPTION_FIELDS: readonly string[] = Object.keys(subscriptionFields);

const subscriptionSchema = v.pipe(mappingSchema, v.looseObject(subscriptionFields));

/** What is known about a model of a connection (R13). Prices are in US dollars per million tokens. */
const modelFactsSchema = v.pipe(
  mappingSchema,
  v.object({
    context_window: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
    vision: v.optional(v.boolean()),
    reasoning_efforts: v.optional(v.array(v.picklist(REASONING_EFFORTS))),
    price: v.optional(
      v.pipe(mappingSchema, v.object({ input: price, output: price, cache_read: price, cache_write: price })),
    ),
  }),
);

const connectionSchema = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9_-]*$/, "expected a slug of a-z, 0-9, _ and -"),
    v.maxLength(64, "expected at most 64 characters"),
  ),
  type: v.optional(v.picklist(CONNECTION_TYPES), "compat-gateway"),
  label: v.optional(v.pipe(v.string(), v.maxLength(200)), ""),
  base_url: v.optional(baseUrlSchema, ""),
  api_key: v.optional(
    v.union([apiKeySchema, subscriptionSchema], "expected a key (printable ASCII), or a mapping for a subscription"),
    "",
  ),
  models: v.optional(v.pipe(mappingSchema, v.record(v.string(), modelFactsSchema)), {}),
});

const schema = v.optional(v.pipe(v.array(connectionSchema), v.maxLength(200, "expected at most 200 connections")));

/** `undefined`: no layer has a `providers` block, which is not the same as an empty one (B51, rule 3). */
export type ProvidersSectionValue = v.InferOutput<typeof schema>;

/** The section `providers` (B51): the model connections. */
export const providersSection = {
  name: "providers",
  description:
    "Connections to models, merged with the machine's by id. Without this block one gateway is built from model.api_base and model.api_key; an empty list means none.",
  schema,
  merge_by: "id",
  required: ["id", "type"],
  secrets: ["api_key"],
  environment: [
    { name: "SVC_CODEX_BASE_URL", meaning: "Endpoint of connections of the type oauth-subscription-b." },
    {
      name: "SVC_CODEX_OUTPUT_VERSION",
      meaning: "Shape of contents of oauth-subscription-b: responses/v1 (default), or v0 for the legacy one.",
    },
    { name: "OLLAMA_HOST", meaning: "Where Ollama listens, when models of this machine are looked for." },
  ],
  fields: {
    id: {
      label: "Id",
      description: "A slug that never changes; models are named `<id>:<model>`.",
      type: "string",
      scope: "host",
    },
    type: {
      label: "Type",
      description: "The connection's protocol.",
      type: "select",
      options: CONNECTION_TYPES,
      scope: "host",
    },
    label: { label: "Label", description: "Name shown to people.", type: "string", scope: "host" },
    base_url: {
      label: "Address",
      description: "Address of a compat-gateway, for example http://127.0.0.1:11434/v1. Subscriptions have none.",
      type: "string",
      scope: "host",
      depends_on: { key: "type", equals: "compat-gateway" },
    },
    api_key: {
      label: "Key",
      description:
        "Belongs in secrets.yaml as `providers: {<id>: <key>}`. An endpoint without a key is normal. Of a subscription a mapping stands there: access_token, refresh_token, expires_at (ISO-8601, or seconds since 1970), token_endpoint (where the refresh token is exchanged) and client_id.",
      type: "secret",
    },
    models: {
      label: "Model facts",
      description:
        "By model name: context_window (tokens), vision (true or false), reasoning_efforts (a list of none, minimal, low, medium, high, xhigh and max; empty: it takes none), price {input, output, cache_read, cache_write} in dollars per million tokens.",
      type: "json",
      scope: "host",
    },
  },
  example: [
    "providers:",
    "  - id: local",
    "    type: compat-gateway",
    "    base_url: http://127.0.0.1:11434/v1",
    "    models:",
    "      qwen3:8b: {context_window: 32768, vision: false}",
  ].join("\n"),
} as const satisfies SettingsSection;
