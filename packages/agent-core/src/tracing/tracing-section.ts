import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { apiKeySchema, baseUrlSchema } from "../model/index.ts";

const schema = v.object({
  enabled: v.optional(v.boolean(), false),
  host: v.optional(baseUrlSchema, ""),
  public_key: v.optional(apiKeySchema, ""),
  secret_key: v.optional(apiKeySchema, ""),
});

export type TracingSectionValue = v.InferOutput<typeof schema>;

/** The section `tracing` (B60). */
export const tracingSection = {
  name: "tracing",
  title: "Tracing",
  category: "Box",
  description: "Sends traces of turns, model calls and tool calls over OTLP; Langfuse takes them.",
  schema,
  secrets: ["public_key", "secret_key"],
  environment: [
    { name: "TRACING_HOST", meaning: "Address of the trace collector, where tracing.host is blank." },
    {
      name: "TRACING_PUBLIC_KEY",
      meaning:
        "With TRACING_SECRET_KEY: the credentials at TRACING_HOST; they win over the configured ones and never go to tracing.host.",
      secret: true,
    },
    { name: "TRACING_SECRET_KEY", meaning: "See TRACING_PUBLIC_KEY; one without the other counts as none." },
  ],
  fields: {
    enabled: {
      label: "Tracing",
      description: "Send traces. They hold names, times and tokens, no text of a conversation.",
      type: "bool",
      restart: true,
    },
    host: {
      label: "Collector",
      description:
        "Address of the collector. Without a path traces go to Langfuse's own where there are keys, else to /v1/traces. Blank: TRACING_HOST, else http://host.docker.internal:3001.",
      type: "string",
      restart: true,
      depends_on: { key: "tracing.enabled", equals: true },
    },
    public_key: {
      label: "Public key",
      description:
        "User name at the collector. TRACING_PUBLIC_KEY and TRACING_SECRET_KEY together win over the configuration.",
      type: "secret",
      restart: true,
      depends_on: { key: "tracing.enabled", equals: true },
    },
    secret_key: {
      label: "Secret key",
      description: "Password at the collector.",
      type: "secret",
      restart: true,
      depends_on: { key: "tracing.enabled", equals: true },
    },
  },
} as const satisfies SettingsSection;
