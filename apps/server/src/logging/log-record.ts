/** The levels of `LOG_LEVEL` (B73). */
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR";

/** One log line as every sink receives it: redacted, plain JSON values. */
export interface LogRecord {
  /** ISO-8601 UTC with milliseconds (N4). */
  readonly time: string;
  readonly level: LogLevel;
  readonly msg: string;
  /** The fields besides the message; an error is `err: {type, message, stack}`. */
  readonly [field: string]: unknown;
}

/** Stands for a record that could not be redacted. */
export function withheldRecord(time: string): LogRecord {
  return { time, level: "ERROR", msg: "a log line was withheld: it could not be redacted" };
}

/** Takes log records. Must not throw and must not block. */
export type LogSink = (record: LogRecord) => void;

/** Reads `LOG_LEVEL`, in any case, with `WARN` for `WARNING`; undefined when it is none of the four. */
export function parseLogLevel(text: string): LogLevel | undefined {
  const level = text.trim().toUpperCase();
  if (level === "WARN") return "WARNING";
  return level === "DEBUG" || level === "INFO" || level === "WARNING" || level === "ERROR" ? level : undefined;
}
