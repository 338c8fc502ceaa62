/** The external secrets manager, before there are settings (B71). */
import { readFileSync } from "node:fs";
import { systemClock } from "@agent-service/agent-core/host";
import {
  createSecretsManager,
  hydrates,
  loadConfig,
  resolvePaths,
  type SecretsManager,
  type SecretsManagerSectionValue,
  secretsManagerSection,
} from "@agent-service/config";
import * as v from "valibot";
import { StartupError } from "../cli/index.ts";
import type { SettingsOptions } from "../settings/index.ts";

/** The secrets manager of a service, from before the settings until the service runs. */
export interface ServiceSecrets {
  readonly manager: SecretsManager;
  /** Log lines from before the log was open. */
  readonly warnings: readonly string[];
  /** Writes later lines to a log, reports changed values, and starts refreshing. */
  attach(to: SecretsListener): void;
  /** Reads its settings again, for a reload; the caller then syncs. */
  configure(settings: SecretsManagerSectionValue): void;
}

/** What the secrets manager reports: its log lines, and changed values. */
export interface SecretsListener {
  info(message: string): void;
  warn(message: string): void;
  /** After a fetch that changed a variable. */
  changed(): void;
}

/**
 * Reads the section `secrets_manager` and, where it is enabled, fetches. A manager that cannot be read is a warning, or
 * `StartupError` (`secrets-unavailable`) where `required`. A configuration that cannot be read is left for
 * `loadServerSettings` to refuse.
 */
export async function openSecrets(options: SettingsOptions): Promise<ServiceSecrets> {
  const settings = readSection(options);
  const secrets = serviceSecrets(settings, options.env);
  if (!hydrates(settings, options.env)) return secrets;
  const { ok, error } = await secrets.manager.sync();
  if (ok === true || !settings.required) return secrets;
  throw new StartupError(
    "secrets-unavailable",
    `secrets_manager.required is set, and the secrets manager cannot be read: ${error}`,
  );
}

/** A secrets manager that has fetched nothing yet. `env` are the process's own variables. */
export function serviceSecrets(section: SecretsManagerSectionValue, env: SettingsOptions["env"]): ServiceSecrets {
  let settings = section;
  const warnings: string[] = [];
  let listener: SecretsListener | undefined;
  const manager = createSecretsManager({
    settings: () => settings,
    env,
    fetch: (url, init) => fetch(url, init),
    clock: systemClock(),
    log: {
      info: (message) => listener?.info(message),
      warn: (message) => (listener === undefined ? void warnings.push(message) : listener.warn(message)),
    },
    onChange: () => listener?.changed(),
  });
  return {
    manager,
    warnings,
    attach(to) {
      listener = to;
      manager.start();
    },
    configure(next) {
      settings = next;
    },
  };
}

function readSection(options: SettingsOptions): SecretsManagerSectionValue {
  const paths = resolvePaths(options);
  const { home, configDir, hostFile, configFile, secretsFile } = paths;
  const sections = [secretsManagerSection] as const;
  // Parsing everything twice costs a start 20 ms, and few installations have such a section.
  if (![hostFile, configFile, secretsFile].some(mayConfigure)) return v.parse(secretsManagerSection.schema, {});
  const config = loadConfig({ home, configDir, env: options.env, sections });
  return config.ok ? config.values.secrets_manager : v.parse(secretsManagerSection.schema, {});
}

/** Whether a file has the section, outside comments. False for a file that cannot be read. */
function mayConfigure(file: string): boolean {
  try {
    const text = readFileSync(file, "utf8").replaceAll(/^[ \t]*#.*$/gm, "");
    return /secrets_manager["']?\s*:(?:[ \t]*[^\s#]|[^\n]*\n\s*?[ \t]+\S)/.test(text);
  } catch {
    return false;
  }
}
