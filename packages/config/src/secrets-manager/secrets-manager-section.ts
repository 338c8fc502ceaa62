import * as v from "valibot";
import type { Section } from "../section/index.ts";

/** Names of the providers there are; each is one file beside this one. */
export const SECRETS_PROVIDERS = ["infisical"] as const;

const name = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(200, "expected at most 200 characters"),
  v.regex(/^[^\p{Cc}]*$/u, "expected one line"),
);

/** Printable ASCII: it travels in a JSON body, and a line break in it is a mistake of copying. */
const identity = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(4096, "expected at most 4096 characters"),
  v.regex(/^[\x21-\x7e]*$/, "expected printable ASCII without blanks"),
);

const hostSchema = v.pipe(
  v.string(),
  v.trim(),
  v.check(isHost, "expected an http:// or https:// address without a user, password, query or fragment"),
  v.transform((text) => text.replace(/\/+$/, "")),
);

function isHost(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && !`${url.username}${url.password}${url.search}${url.hash}`.length
  );
}

const schema = v.object({
  enabled: v.optional(v.boolean(), false),
  provider: v.optional(v.picklist(SECRETS_PROVIDERS), "infisical"),
  host: v.optional(hostSchema, "https://us.infisical.com"),
  project_id: v.optional(name, ""),
  environment: v.optional(name, "prod"),
  path: v.optional(v.pipe(name, v.startsWith("/", "expected a path that begins with /")), "/"),
  recursive: v.optional(v.boolean(), true),
  refresh_seconds: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(86_400)), 300),
  required: v.optional(v.boolean(), false),
  override_env: v.optional(v.boolean(), false),
  client_id: v.optional(identity, ""),
  client_secret: v.optional(identity, ""),
});

/** The settings `secrets_manager`, validated, with defaults filled in. */
export type SecretsManagerSectionValue = v.InferOutput<typeof schema>;

const whenEnabled = { key: "enabled", equals: true } as const;

/**
 * The section `secrets_manager` of B71. Its machine identity resolves as every secret
 * does: overlay, live file, then `SECRETS_MANAGER_CLIENT_ID` and `SECRETS_MANAGER_CLIENT_SECRET`. A wrong value refuses
 * (S8).
 */
export const secretsManagerSection = {
  name: "secrets_manager",
  title: "Secrets manager",
  category: "Secrets",
  description:
    "An external secrets manager whose values stand where environment variables stand. Nothing is written to disk.",
  schema,
  security: true,
  secrets: ["client_id", "client_secret"],
  variables: {
    client_id: {
      variable: "SECRETS_MANAGER_CLIENT_ID",
      mode: "fallback",
      meaning: "Machine identity at the external secrets manager.",
    },
    client_secret: { variable: "SECRETS_MANAGER_CLIENT_SECRET", mode: "fallback", meaning: "Its secret." },
  },
  environment: [{ name: "SVC_NO_SECRETS_HYDRATE", meaning: "Any value: nothing is fetched from the secrets manager." }],
  fields: {
    enabled: { label: "Enabled", description: "Fetch secrets at boot, on reload and while running.", type: "bool" },
    provider: {
      label: "Provider",
      description: "Which manager it is.",
      type: "select",
      options: SECRETS_PROVIDERS,
      depends_on: whenEnabled,
    },
    host: {
      label: "Address",
      description: "Address of the manager, without /api. Default: the cloud in the United States.",
      type: "string",
      depends_on: whenEnabled,
    },
    project_id: { label: "Project id", description: "Id of the project.", type: "string", depends_on: whenEnabled },
    environment: {
      label: "Environment",
      description: "Slug of the environment, such as dev, staging or prod.",
      type: "string",
      depends_on: whenEnabled,
    },
    path: {
      label: "Folder",
      description: "Folder whose secrets are fetched.",
      type: "string",
      depends_on: whenEnabled,
    },
    recursive: {
      label: "Folders below",
      description: "Fetch the folders below it too. Of two secrets of one name, the one nearer to the folder counts.",
      type: "bool",
      depends_on: whenEnabled,
    },
    refresh_seconds: {
      label: "Refresh",
      description: "Seconds between two fetches. 0: at boot and on reload only.",
      type: "number",
      minimum: 0,
      maximum: 86_400,
      depends_on: whenEnabled,
    },
    required: {
      label: "Required",
      description: "Refuse to start when the manager cannot be read.",
      type: "bool",
      depends_on: whenEnabled,
    },
    override_env: {
      label: "Override variables",
      description: "Let the manager's values beat environment variables that are set already.",
      type: "bool",
      depends_on: whenEnabled,
    },
    client_id: {
      label: "Client id",
      description: "Of the machine identity (universal auth).",
      type: "secret",
      depends_on: whenEnabled,
    },
    client_secret: {
      label: "Client secret",
      description: "Of the machine identity (universal auth).",
      type: "secret",
      depends_on: whenEnabled,
    },
  },
  example: ["enabled: true", "project_id: 0f6d…", "environment: prod"].join("\n"),
} as const satisfies Section;
