import type { LogDecision } from "@agent-service/agent-core/host";
import { type Logger, pino, stdTimeFunctions } from "pino";
import { formatText } from "./format-text.ts";
import type { LogLevel, LogRecord, LogSink } from "./log-record.ts";
import { LogRing } from "./log-ring.ts";
import { type Redactor, redactValues } from "./redact-values.ts";

export interface LoggingOptions {
  readonly level: LogLevel;
  /** `text`: a readable line per record. `json`: one JSON object per line (`LOG_FORMAT`). */
  readonly format: "text" | "json";
  /** Applied to every text of every record before any sink receives it (S5). */
  readonly redact: Redactor;
  /** Lines kept in memory for `logs`; 0 or absent: none (B73 `LOG_BUFFER_LINES`). */
  readonly bufferLines?: number;
  /** Takes finished lines, newline included. */
  readonly write: (line: string, level: LogLevel) => void;
}

/** Values of a record that are written as they are. */
export type PlainFields = Readonly<Record<string, string | number | boolean | null>>;

/** A logger of records that hold plain values only. */
export interface PlainLogger {
  debug(fields: PlainFields, message: string): void;
  info(fields: PlainFields, message: string): void;
}

/** The process's logging: one logger, one stream of redacted records, any number of sinks. */
export interface Logging {
  readonly logger: Logger;
  /** Logs a decision; undefined where DEBUG is not logged. */
  readonly debug: LogDecision | undefined;
  /** For the line of every turn: it costs a third of one of `logger`, and takes plain values only. */
  readonly plain: PlainLogger;
  /** The newest lines; undefined: none are kept. */
  readonly ring: LogRing | undefined;
  /** Adds a further sink; returns the function that removes it. */
  readonly addSink: (sink: LogSink) => () => void;
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
  const sinks = new Set<LogSink>();
  const print = options.format === "json" ? (record: LogRecord) => JSON.stringify(record) : formatText;
  sinks.add((record) => options.write(`${print(record)}\n`, record.level));

  const { bufferLines = 0 } = options;
  const ring = bufferLines > 0 ? new LogRing(bufferLines) : undefined;
  if (ring !== undefined) sinks.add((record) => ring.add(record));

  const deliver = (record: LogRecord): void => {
    for (const sink of sinks) sink(record);
  };
  const logger = pino(
    {
      level: pinoLevels[options.level],
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write: (json: string) => deliver(toRecord(json, options.redact)),
    },
  );
  const plain = (level: "DEBUG" | "INFO"): PlainLogger["info"] =>
    logger.isLevelEnabled(pinoLevels[level])
      ? (fields, message) => deliver(plainRecord(level, message, fields, options.redact))
      : () => {};
  return {
    logger,
    plain: { debug: plain("DEBUG"), info: plain("INFO") },
    debug: logger.isLevelEnabled("debug") ? (fields, decision) => logger.debug(fields, decision) : undefined,
    ring,
    addSink(sink) {
      sinks.add(sink);
      return () => sinks.delete(sink);
    },
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
    return withheld();
  }
}

function plainRecord(level: LogLevel, msg: string, fields: PlainFields, redact: Redactor): LogRecord {
  try {
    const time = new Date().toISOString();
    const record = { time, level, msg, ...fields };
    if (holdsNoSecret(JSON.stringify(record), redact)) return record;
    return { time, level, ...(redactValues({ msg, ...fields }, redact) as { msg: string }) };
  } catch {
    return withheld();
  }
}

function withheld(): LogRecord {
  return { time: new Date().toISOString(), level: "ERROR", msg: "a log line was withheld: it could not be redacted" };
}

/** A fast check without false negatives: where no character is escaped, each text is in the line unchanged, between quotes. */
function holdsNoSecret(json: string, redact: Redactor): boolean {
  return !json.includes("\\") && redact(json) === json;
}
