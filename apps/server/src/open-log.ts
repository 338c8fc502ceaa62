import { createRedactor, type Redactor } from "@agent-service/agent-core";
import type { ComposeOptions } from "./compose-options.ts";
import { captureConsole, createLineWriter, createLogging, type Logging } from "./logging/index.ts";
import type { ServiceSecrets } from "./secrets/index.ts";
import { knownSecrets } from "./secrets/index.ts";
import type { ServerSettings } from "./sections/index.ts";

/** The log of a service, and the redactor of all its other sinks. */
export interface ServiceLog {
  readonly logging: Logging;
  /** The one that sits on every sink (ruling S5). */
  readonly redactor: Redactor;
  /**
   * Tokens of webhooks, looked for in the log only: callers choose them, so one could blank out words of what another's
   * tools return.
   */
  readonly webhookSecrets: Set<string>;
  flush(): Promise<void>;
  /** Puts the console back. */
  release(): void;
}

/** Opens the log, and writes the warnings there are so far. */
export function openLog(
  settings: ServerSettings,
  secrets: ServiceSecrets,
  options: Pick<ComposeOptions, "write" | "ownsConsole">,
): ServiceLog {
  const known = knownSecrets(settings, secrets);
  const webhookSecrets = new Set<string>();
  const redactor: Redactor = createRedactor({ secrets: known });
  const logged = createRedactor({ secrets: () => [...known(), ...webhookSecrets] });
  const writer = options.write === undefined ? createLineWriter(process.stdout) : undefined;
  const logging = createLogging({
    level: settings.environment.logLevel,
    format: settings.environment.logFormat,
    bufferLines: settings.environment.logBufferLines,
    redact: (text) => logged.text(text),
    write: options.write ?? ((line) => writer?.write(line)),
  });
  const release = options.ownsConsole === true ? captureConsole(logging.logger) : () => {};
  for (const warning of [...secrets.warnings, ...settings.warnings]) logging.logger.warn(warning);
  return { logging, redactor, webhookSecrets, release, flush: async () => writer?.flush() };
}
