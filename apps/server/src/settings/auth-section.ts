import * as v from "valibot";

const token = v.optional(
  v.pipe(
    v.string("expected text (put it in quotes)"),
    v.trim(),
    v.regex(/^[\x20-\x7e]*$/, "a token may only hold printable ASCII characters"),
    v.maxLength(8192, "a token may have at most 8192 characters"),
  ),
  "",
);

const schema = v.object({ token, federation_token: token });

/** Blank: no such credential (S1). */
export type AuthSectionValue = v.InferOutput<typeof schema>;

/** The section `auth` (B70): both are secrets, and a wrong value refuses (S8). */
export const authSection = {
  name: "auth",
  title: "Operator and federation tokens",
  category: "Secrets",
  description: "Who may talk to this agent. Both belong in secrets.yaml.",
  schema,
  security: true,
  secrets: ["token", "federation_token"],
  variables: {
    token: { variable: "A2A_AUTH_TOKEN", mode: "fallback", meaning: "Operator's bearer token." },
    federation_token: { variable: "A2A_FEDERATION_TOKEN", mode: "fallback", meaning: "Bearer token of peers." },
  },
  environment: [
    {
      name: "<AGENT_NAME>_API_KEY",
      meaning: "Value expected in X-API-Key; the name in capitals, other characters as _.",
    },
    { name: "SVC_ALLOW_OPEN", meaning: "1 allows listening beyond loopback without a token." },
    {
      name: "SVC_TRUSTED_HOSTS",
      meaning: "Further Host names an instance without a token answers to, comma-separated.",
    },
    { name: "A2A_ALLOWED_ORIGINS", meaning: "Origins streaming answers to, comma-separated; * for all." },
  ],
  fields: {
    token: {
      label: "Operator token",
      description: "Bearer token of the operator; it opens everything.",
      type: "secret",
    },
    federation_token: {
      label: "Federation token",
      description: "Bearer token for peers; it opens only /a2a and /v1.",
      type: "secret",
    },
  },
} as const;
