import type { LogDecision } from "@agent-service/agent-core/host";
import { type Logger, pino, stdTimeFunctions } from "pino";
import { formatText } from "./format-text.ts";
import { type LogLevel, type LogRecord, type LogSink, withheldRecord } from "./log-record.ts";
import { LogRing } from "./log-ring.ts";
import { createPlainRecords, type PlainRecord } from "./plain-records.ts";
import { holdsNoSecret, type Redactor, redactValues } from "./redact-values.ts";

export interface LoggingOptions {
  readonly level: LogLevel;
  /** `text`: a readable line per record. `json`: one JSON object per line (`LOG_FORMAT`). */
  readonly format: "text" | "json";
  /** Applied to every text of every record before any sink receives it (S5). */
  readonly redact: Redactor;
  /** Lines kept in memory for `logs`; 0 or absent: none (B73 `LOG_BUFFER_LINES`). */
  readonly bufferLines?: number;
  /** Takes a finished line, newline included. */
  readonly write: (line: string, level: LogLevel) => void;
}

/** A logger of records that hold plain values only. The fields must not change afterwards. */
export interface PlainLogger {
  debug(fields: PlainRecord["fields"], message: string): void;
  info(fields: PlainRecord["fields"], message: string): void;
}

/** The process's logging: one logger, one stream of redacted records, any number of sinks. */
export interface Logging {
  readonly logger: Logger;
  /** Logs a decision; undefined where DEBUG is not logged. */
  readonly debug: LogDecision | undefined;
  /** For the line of every turn: many are made together, up to 50 ms later, and before any other line or read of the log. */
  readonly plain: PlainLogger;
  /** The newest lines; undefined: none are kept. */
  readonly ring: Pick<LogRing, "tail"> | undefined;
  /** Adds a further sink; returns the function that removes it. */
  readonly addSink: (sink: LogSink) => () => void;
  /** Gives the lines of `plain` that wait to every sink. Safe to pass around unbound. */
  readonly deliverWaiting: () => void;
}

const pinoLevels = { DEBUG: "debug", INFO: "info", WARNING: "warn", ERROR: "error" } as const;
const shownLevels: Readonly<Record<string, LogLevel>> = {
  trace: "DEBUG",
  debug: "DEBUG",
  info: "INFO",
  warn: "WARNING",
  error: "ERROR",
  fatal: "ERROR",
};

/**
 * Builds the logger. Pino makes each record once as JSON (levels, children, error serialisation); the record is read
 * back, redacted, and given to every sink. A record whose redaction fails is replaced, never written as it is.
 */
export function createLogging(options: LoggingOptions): Logging {
  const { bufferLines = 0, redact } = options;
  const sinks = new Set<LogSink>();
  const ring = bufferLines > 0 ? new LogRing(bufferLines) : undefined;

  const deliver = (record: LogRecord): void => {
    const json = options.format === "json" || ring !== undefined ? JSON.stringify(record) : "";
    options.write(`${options.format === "json" ? json : formatText(record)}\n`, record.level);
    ring?.add(record, json);
    for (const sink of sinks) sink(record);
  };
  const { add, deliverWaiting } = createPlainRecords(redact, deliver);
  const logger = pino(
    {
      level: pinoLevels[options.level],
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write(json: string) {
        deliverWaiting();
        deliver(toRecord(json, redact));
      },
    },
  );
  const plain = (level: "DEBUG" | "INFO"): PlainLogger["info"] =>
    logger.isLevelEnabled(pinoLevels[level])
      ? (fields, message) => add({ at: Date.now(), level, message, fields })
      : () => {};
  return {
    logger,
    plain: { debug: plain("DEBUG"), info: plain("INFO") },
    debug: logger.isLevelEnabled("debug") ? (fields, decision) => logger.debug(fields, decision) : undefined,
    ring: ring && {
      tail(count) {
        deliverWaiting();
        return ring.tail(count);
      },
    },
    addSink(sink) {
      deliverWaiting();
      sinks.add(sink);
      return () => {
        deliverWaiting();
        sinks.delete(sink);
      };
    },
    deliverWaiting,
  };
}

function toRecord(json: string, redact: Redactor): LogRecord {
  try {
    const { time, level, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
    const text = typeof msg === "string" ? msg : (JSON.stringify(msg) ?? "");
    const shown = { msg: text, ...fields };
    const redacted = holdsNoSecret(json, redact) ? shown : (redactValues(shown, redact) as typeof shown);
    return { time: String(time), level: shownLevels[String(level)] ?? "INFO", ...redacted };
  } catch {
    return withheldRecord(new Date().toISOString());
  }
}
