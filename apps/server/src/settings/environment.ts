import {
  createEgress,
  EgressConfigError,
  type EgressOptions,
  type TracingEnvironment,
} from "@agent-service/agent-core/host";
import { apiKeyVariable } from "../access/index.ts";
import { StartupError } from "../cli/index.ts";
import { type LogLevel, parseLogLevel } from "../logging/index.ts";
import { reservedVariablesIn } from "./unbuilt-features.ts";

/** How the service shows itself: with the console, or API, A2A and metrics only (B73 `SVC_UI`). */
export type UiTier = "console" | "none";

/** The process's environment, read once. Variables that feed a section are read by the configuration. */
export interface Environment {
  /** `SVC_UI`, or the deprecated `SVC_HEADLESS`; undefined: neither is set. */
  readonly ui: UiTier | undefined;
  /** `SVC_HOST`. */
  readonly host: string | undefined;
  /** `SVC_ALLOW_OPEN`. */
  readonly allowOpen: boolean;
  /** `SVC_TRUSTED_HOSTS`. */
  readonly trustedHosts: readonly string[];
  /** `SCHEDULER_DISABLED`: the agent has no tools that schedule. */
  readonly schedulerDisabled: boolean;
  /** `SCHEDULER_INVOKE_URL` without a slash at its end: the service that runs scheduled jobs; undefined: this one. */
  readonly schedulerInvokeUrl: string | undefined;
  /** `SCHEDULER_FIRE_TIMEOUT_S`, in milliseconds. */
  readonly schedulerFireTimeoutMs: number;
  /** `SCHEDULER_DB_DIR`, unresolved. */
  readonly schedulerFolder: string | undefined;
  /** `GOAL_PATH`, unresolved: where copies of the goals lie. */
  readonly goalFolder: string | undefined;
  /** `SVC_HEADLESS_SETUP`: setup completes itself from a valid configuration. */
  readonly headlessSetup: boolean;
  /** `AGENT_NAME`: slug for metrics, traces and logs. */
  readonly agentName: string;
  /** The value of `<AGENT_NAME>_API_KEY`, undefined for none. */
  readonly apiKey: string | undefined;
  /** `A2A_ALLOWED_ORIGINS`, unparsed. */
  readonly allowedOrigins: string | undefined;
  /** `A2A_PUBLIC_URL` without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** `PUSH_NOTIFICATION_ALLOWED_HOSTS` and `PUSH_NOTIFICATION_ALLOWED_CIDRS`: what webhooks may reach beyond the public internet. */
  readonly webhookHosts: readonly string[];
  readonly webhookCidrs: readonly string[];
  /** `SVC_CODEX_BASE_URL`: endpoint of `oauth-subscription-b`; undefined: its own. */
  readonly codexBaseUrl: string | undefined;
  /** `SVC_CODEX_OUTPUT_VERSION`. */
  readonly codexOutputVersion: "responses/v1" | "v0";
  /** `OLLAMA_HOST`, unparsed: where Ollama listens, for finding it. */
  readonly ollamaHost: string | undefined;
  /** `TRACING_HOST`, `TRACING_PUBLIC_KEY`, `TRACING_SECRET_KEY`. */
  readonly tracing: TracingEnvironment;
  /** `TASKS_DB_PATH`, unresolved. */
  readonly tasksDbPath: string | undefined;
  /** `MEMORY_PATH`, unresolved. */
  readonly memoryPath: string | undefined;
  /** `SVC_DISABLE_MEMORY` is not blank. */
  readonly memoryDisabled: boolean;
  /** `SVC_WORKSPACE`, unresolved. */
  readonly workspace: string | undefined;
  readonly logLevel: LogLevel;
  readonly logFormat: "text" | "json";
  /** `LOG_BUFFER_LINES`: log lines kept in memory, 0 for none. */
  readonly logBufferLines: number;
  /** For the log: deprecated or unusable values. */
  readonly warnings: readonly string[];
}

type Variables = { readonly [name: string]: string | undefined };

/**
 * Reads the environment. A blank variable counts as unset. Throws `StartupError` (`config-invalid`) for a value that
 * decides who can reach the service or what it is; one that only colours logs keeps its default with a warning.
 */
export function readEnvironment(env: Variables): Environment {
  const warnings: string[] = [];
  const later = reservedVariablesIn(env);
  if (later.length > 0) warnings.push(`environment variables not used by this release, ignored: ${later.join(", ")}`);
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
    schedulerDisabled: isOn("SCHEDULER_DISABLED", env, warnings),
    schedulerInvokeUrl: readAddress("SCHEDULER_INVOKE_URL", text("SCHEDULER_INVOKE_URL")),
    schedulerFireTimeoutMs: 1_000 * readSeconds("SCHEDULER_FIRE_TIMEOUT_S", text("SCHEDULER_FIRE_TIMEOUT_S"), warnings),
    schedulerFolder: text("SCHEDULER_DB_DIR"),
    goalFolder: text("GOAL_PATH"),
    headlessSetup: isOn("SVC_HEADLESS_SETUP", env, warnings),
    agentName,
    apiKey: text(apiKeyVariable(agentName)),
    allowedOrigins: text("A2A_ALLOWED_ORIGINS"),
    publicUrl: readAddress("A2A_PUBLIC_URL", text("A2A_PUBLIC_URL")),
    webhookHosts: readAllowed("PUSH_NOTIFICATION_ALLOWED_HOSTS", env, (allowedHosts) => ({ allowedHosts })),
    webhookCidrs: readAllowed("PUSH_NOTIFICATION_ALLOWED_CIDRS", env, (allowedCidrs) => ({ allowedCidrs })),
    codexBaseUrl: readAddress("SVC_CODEX_BASE_URL", text("SVC_CODEX_BASE_URL")),
    codexOutputVersion: readOutputVersion(text("SVC_CODEX_OUTPUT_VERSION")),
    ollamaHost: text("OLLAMA_HOST"),
    tracing: {
      host: readTracingHost("TRACING_HOST", text("TRACING_HOST"), warnings),
      publicKey: text("TRACING_PUBLIC_KEY"),
      secretKey: text("TRACING_SECRET_KEY"),
    },
    tasksDbPath: text("TASKS_DB_PATH"),
    memoryPath: text("MEMORY_PATH"),
    memoryDisabled: text("SVC_DISABLE_MEMORY") !== undefined,
    workspace: text("SVC_WORKSPACE"),
    logLevel: readLogLevel(text("LOG_LEVEL"), warnings),
    logFormat: readLogFormat(text("LOG_FORMAT"), warnings),
    logBufferLines: readBufferLines(text("LOG_BUFFER_LINES"), warnings),
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

/** A switch is on for 1, true, yes and on. What is neither on nor off counts as off, with a warning. */
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

/** Fails closed (S8): an entry that cannot be read refuses the start. */
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

function readAddress(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && !`${url.username}${url.password}${url.search}${url.hash}`)
    return url.href.replace(/\/+$/, "");
  throw new StartupError(
    "config-invalid",
    `environment variable ${name}: expected an http:// or https:// address without a user, password, query or fragment`,
  );
}

function readOutputVersion(text = "responses/v1"): "responses/v1" | "v0" {
  if (text === "responses/v1" || text === "v0") return text;
  throw new StartupError(
    "config-invalid",
    "environment variable SVC_CODEX_OUTPUT_VERSION: expected responses/v1 or v0",
  );
}

/** One that cannot be read counts as unset, with a warning: traces then go to the default. */
function readTracingHost(name: string, text: string | undefined, warnings: string[]): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  if (text === undefined || (url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === ""))
    return text;
  warnings.push(`environment variable ${name}: expected an http:// or https:// address; it is ignored`);
  return undefined;
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

const BUFFER_LINES = { usual: 2_000, most: 50_000 };

function readBufferLines(text: string | undefined, warnings: string[]): number {
  if (text === undefined) return BUFFER_LINES.usual;
  if (/^\d+$/.test(text)) return Math.min(BUFFER_LINES.most, Number(text));
  warnings.push(`environment variable LOG_BUFFER_LINES: expected a whole number; ${BUFFER_LINES.usual} is used`);
  return BUFFER_LINES.usual;
}

const FIRE_SECONDS = { usual: 600, most: 86_400 };

function readSeconds(name: string, text: string | undefined, warnings: string[]): number {
  if (text === undefined) return FIRE_SECONDS.usual;
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1) return Math.min(FIRE_SECONDS.most, Number(text));
  warnings.push(`environment variable ${name}: expected a whole number of seconds; ${FIRE_SECONDS.usual} is used`);
  return FIRE_SECONDS.usual;
}
