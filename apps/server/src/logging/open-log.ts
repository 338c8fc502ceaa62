import { createRedactor, type Redactor } from "@agent-service/agent-core/host";
import { captureConsole } from "./capture-console.ts";
import { createLogging, type Logging, type LoggingOptions } from "./create-logging.ts";
import { createLineWriter } from "./line-writer.ts";
import type { LogLevel } from "./log-record.ts";

/** The log of a service, and the redactor of all its other sinks. */
export interface ServiceLog {
  readonly logging: Logging;
  /** The one that sits on every sink (S5). */
  readonly redactor: Redactor;
  /**
   * Tokens of webhooks, looked for in the log only: callers choose them, so one could redact parts of what another caller's
   * tools return.
   */
  readonly webhookSecrets: Set<string>;
  flush(): Promise<void>;
  /** Restores the console. */
  release(): void;
}

export interface LogParts {
  readonly environment: {
    readonly logLevel: LogLevel;
    readonly logFormat: "text" | "json";
    readonly logBufferLines: number;
  };
  /** The secrets that no sink may show, read at each use. */
  readonly secrets: () => readonly string[];
  /** Warnings logged first. */
  readonly warnings: readonly string[];
  /** Where log lines go. Default: standard output. */
  readonly write?: LoggingOptions["write"] | undefined;
  /** The output of dependencies goes into the log too (S5), until it is released. */
  readonly ownsConsole?: boolean | undefined;
}

/** Opens the log, and writes the first warnings. */
export function openLog({ environment, secrets, warnings, write, ownsConsole }: LogParts): ServiceLog {
  const webhookSecrets = new Set<string>();
  const redactor: Redactor = createRedactor({ secrets });
  const logged = createRedactor({ secrets: () => [...secrets(), ...webhookSecrets] });
  const writer = write === undefined ? createLineWriter(process.stdout) : undefined;
  const logging = createLogging({
    level: environment.logLevel,
    format: environment.logFormat,
    bufferLines: environment.logBufferLines,
    redact: (text) => logged.text(text),
    write: write ?? ((line, level) => writer?.write(line, level === "WARNING" || level === "ERROR")),
  });
  const releaseConsole = ownsConsole === true ? captureConsole(logging.logger) : () => {};
  const writeWaiting = (): void => {
    logging.deliverWaiting();
    writer?.writeWaiting();
  };
  if (writer !== undefined) process.on("exit", writeWaiting);
  const release = (): void => {
    process.off("exit", writeWaiting);
    writeWaiting();
    releaseConsole();
  };
  for (const warning of warnings) logging.logger.warn(warning);
  return {
    ...{ logging, redactor, webhookSecrets, release },
    async flush() {
      logging.deliverWaiting();
      await writer?.flush();
    },
  };
}
