import { createEgress, EgressConfigError, type EgressOptions } from "@agent-service/agent-core";
import { StartupError } from "../cli/index.ts";
import { apiKeyVariable } from "../http/index.ts";
import { type LogLevel, parseLogLevel } from "../logging/index.ts";

/** How the service shows itself: with the console, or API, A2A and metrics only (document 3 `SVC_UI`). */
export type UiTier = "console" | "none";

/** What the process's environment says, read once. Variables that feed a section are read by the configuration. */
export interface Environment {
  /** `SVC_UI`, or the deprecated `SVC_HEADLESS`; undefined: nobody said. */
  readonly ui: UiTier | undefined;
  /** `SVC_HOST`. */
  readonly host: string | undefined;
  /** `SVC_ALLOW_OPEN`. */
  readonly allowOpen: boolean;
  /** `SVC_TRUSTED_HOSTS`. */
  readonly trustedHosts: readonly string[];
  /** `SVC_HEADLESS_SETUP`: setup completes itself from a valid configuration. */
  readonly headlessSetup: boolean;
  /** `AGENT_NAME`: slug for metrics, traces and logs. */
  readonly agentName: string;
  /** The value of `<AGENT_NAME>_API_KEY`, undefined for none. */
  readonly apiKey: string | undefined;
  /** `A2A_ALLOWED_ORIGINS` as it stands. */
  readonly allowedOrigins: string | undefined;
  /** `A2A_PUBLIC_URL` without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** `PUSH_NOTIFICATION_ALLOWED_HOSTS` and `PUSH_NOTIFICATION_ALLOWED_CIDRS`: what webhooks may reach beyond the public internet. */
  readonly webhookHosts: readonly string[];
  readonly webhookCidrs: readonly string[];
  /** `OLLAMA_HOST` as it stands: where Ollama listens, for finding it. */
  readonly ollamaHost: string | undefined;
  readonly logLevel: LogLevel;
  readonly logFormat: "text" | "json";
  /** For the log: deprecated or unusable values. */
  readonly warnings: readonly string[];
}

/** One row of the table of variables. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly meaning: string;
  /** The setting it feeds, for variables that the configuration reads. */
  readonly setting?: string;
}

/** Every variable this release reads (document 3 "Environment variables for authentication", "Limits"; rulings N3, R13). */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = [
  { name: "SVC_HOME", meaning: "Folder of the stores and host-config.yaml; default ~/.protoagent." },
  {
    name: "SVC_CONFIG_DIR",
    meaning: "Folder of agent-config.yaml and secrets.yaml; default config/ of the checkout, else config in the home.",
  },
  { name: "SVC_INSTANCE", meaning: "Separates this instance's stores by one path segment.", setting: "instance.id" },
  { name: "SVC_MODEL", meaning: "Overrides the lead model on every load.", setting: "model.name" },
  {
    name: "MODEL_API_KEY",
    meaning: "Key of the gateway that is used without a providers block.",
    setting: "model.api_key",
  },
  {
    name: "MODEL_API_BASE",
    meaning: "Address of the gateway that is used without a providers block.",
    setting: "model.api_base",
  },
  { name: "WEB_SEARCH_API_KEY", meaning: "Key of the Brave Search API.", setting: "web_search.api_key" },
  { name: "OLLAMA_HOST", meaning: "Where Ollama listens, when models of this machine are looked for." },
  {
    name: "SVC_UI",
    meaning: "console (default) or none (API, A2A and metrics only); full is a deprecated alias of console.",
  },
  { name: "SVC_HEADLESS", meaning: "Deprecated alias: 1 means SVC_UI=none." },
  { name: "SVC_HEADLESS_SETUP", meaning: "1 completes setup from a valid configuration." },
  { name: "SVC_HOST", meaning: "Address to listen on; default 127.0.0.1." },
  { name: "SVC_ALLOW_OPEN", meaning: "1 allows listening beyond loopback without a token." },
  { name: "SVC_TRUSTED_HOSTS", meaning: "Further Host names an instance without a token answers to, comma-separated." },
  {
    name: "AGENT_NAME",
    meaning: "Short slug for metrics, traces and logs; default protoagent.",
    setting: "identity.name",
  },
  {
    name: "<AGENT_NAME>_API_KEY",
    meaning: "Value expected in X-API-Key; the name in capitals, other characters as _.",
  },
  { name: "A2A_AUTH_TOKEN", meaning: "Operator's bearer token.", setting: "auth.token" },
  { name: "A2A_FEDERATION_TOKEN", meaning: "Bearer token of peers.", setting: "auth.federation_token" },
  {
    name: "SECRETS_MANAGER_CLIENT_ID",
    meaning: "Machine identity at the external secrets manager.",
    setting: "secrets_manager.client_id",
  },
  {
    name: "SECRETS_MANAGER_CLIENT_SECRET",
    meaning: "Its secret.",
    setting: "secrets_manager.client_secret",
  },
  { name: "SVC_NO_SECRETS_HYDRATE", meaning: "Any value: nothing is fetched from the secrets manager." },
  { name: "A2A_ALLOWED_ORIGINS", meaning: "Origins streaming answers to, comma-separated; * for all." },
  {
    name: "A2A_PUBLIC_URL",
    meaning: "Base of the address on the agent's card; default the loopback address with the bound port.",
  },
  {
    name: "PUSH_NOTIFICATION_ALLOWED_HOSTS",
    meaning: "Hosts webhooks may reach although they are private, comma-separated.",
  },
  {
    name: "PUSH_NOTIFICATION_ALLOWED_CIDRS",
    meaning: "Address blocks webhooks may reach although they are private, comma-separated.",
  },
  { name: "LOG_LEVEL", meaning: "DEBUG, INFO (default), WARNING or ERROR." },
  { name: "LOG_FORMAT", meaning: "text (default) or json." },
];

type Variables = { readonly [name: string]: string | undefined };

/**
 * Reads the environment. A blank variable counts as unset. Throws `StartupError` (`config-invalid`) for a value that
 * decides who can reach the service or what it is; one that only colours logs keeps its default with a warning.
 */
export function readEnvironment(env: Variables): Environment {
  const warnings: string[] = [];
  const text = (name: string) => env[name]?.trim() || undefined;
  const agentName = text("AGENT_NAME") ?? "protoagent";
  if (!/^[\p{L}\p{N} ._-]{1,64}$/u.test(agentName))
    throw new StartupError(
      "config-invalid",
      "environment variable AGENT_NAME: expected at most 64 letters, digits, blanks, dots, underscores and minuses",
    );
  return {
    ui: readUi(text("SVC_UI"), isOn("SVC_HEADLESS", env, warnings), warnings),
    host: text("SVC_HOST"),
    allowOpen: isOn("SVC_ALLOW_OPEN", env, warnings),
    trustedHosts: list(text("SVC_TRUSTED_HOSTS")),
    headlessSetup: isOn("SVC_HEADLESS_SETUP", env, warnings),
    agentName,
    apiKey: text(apiKeyVariable(agentName)),
    allowedOrigins: text("A2A_ALLOWED_ORIGINS"),
    publicUrl: readPublicUrl(text("A2A_PUBLIC_URL")),
    webhookHosts: readAllowed("PUSH_NOTIFICATION_ALLOWED_HOSTS", env, (allowedHosts) => ({ allowedHosts })),
    webhookCidrs: readAllowed("PUSH_NOTIFICATION_ALLOWED_CIDRS", env, (allowedCidrs) => ({ allowedCidrs })),
    ollamaHost: text("OLLAMA_HOST"),
    logLevel: readLogLevel(text("LOG_LEVEL"), warnings),
    logFormat: readLogFormat(text("LOG_FORMAT"), warnings),
    warnings,
  };
}

/**
 * Reads a tier as `SVC_UI` or `--ui` give it. `source` names it in messages. Throws `StartupError` (`config-invalid`)
 * for anything but `console`, `none` and the deprecated `full`.
 */
export function parseUiTier(text: string, source: string, warnings: string[]): UiTier {
  const tier = text.toLowerCase();
  if (tier === "console" || tier === "none") return tier;
  if (tier !== "full") throw new StartupError("config-invalid", `${source}: expected console or none`);
  warnings.push(`${source}: full is a deprecated alias of console`);
  return "console";
}

function readUi(text: string | undefined, headless: boolean, warnings: string[]): UiTier | undefined {
  if (headless) warnings.push("environment variable SVC_HEADLESS is deprecated, use SVC_UI=none");
  if (text !== undefined) return parseUiTier(text, "environment variable SVC_UI", warnings);
  return headless ? "none" : undefined;
}

/** A switch is on for 1, true, yes and on. What is neither on nor off counts as off, said aloud. */
function isOn(name: string, env: Variables, warnings: string[]): boolean {
  const text = env[name]?.trim().toLowerCase() ?? "";
  if (/^(1|true|yes|on)$/.test(text)) return true;
  if (!/^(|0|false|no|off)$/.test(text)) warnings.push(`environment variable ${name}: expected 1 or 0, taken as 0`);
  return false;
}

function list(text: string | undefined): readonly string[] {
  const entries = (text ?? "").split(",").map((entry) => entry.trim());
  return entries.filter((entry) => entry !== "");
}

/** Fails closed (ruling S8): an entry that cannot be read refuses the start. */
function readAllowed(
  name: string,
  env: Variables,
  options: (entries: readonly string[]) => EgressOptions,
): readonly string[] {
  const entries = list(env[name]);
  try {
    createEgress(options(entries));
    return entries;
  } catch (error) {
    if (!(error instanceof EgressConfigError)) throw error;
    throw new StartupError("config-invalid", `environment variable ${name}: ${error.message}`);
  }
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && !`${url.username}${url.password}${url.search}${url.hash}`)
    return url.href.replace(/\/+$/, "");
  throw new StartupError(
    "config-invalid",
    "environment variable A2A_PUBLIC_URL: expected an http:// or https:// address without a user, password, query or fragment",
  );
}

function readLogLevel(text: string | undefined, warnings: string[]): LogLevel {
  const level = text === undefined ? "INFO" : parseLogLevel(text);
  if (level !== undefined) return level;
  warnings.push("environment variable LOG_LEVEL: expected DEBUG, INFO, WARNING or ERROR; INFO is used");
  return "INFO";
}

function readLogFormat(text: string | undefined, warnings: string[]): "text" | "json" {
  const format = text?.toLowerCase() ?? "text";
  if (format === "text" || format === "json") return format;
  warnings.push("environment variable LOG_FORMAT: expected text or json; text is used");
  return "text";
}
