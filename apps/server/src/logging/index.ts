export { type ConsoleTarget, captureConsole } from "./capture-console.ts";
export { createLogging, type Logging, type LoggingOptions, type PlainLogger } from "./create-logging.ts";
export { formatText } from "./format-text.ts";
export { createLineWriter, type LineWriter } from "./line-writer.ts";
export { type LogLevel, type LogRecord, type LogSink, parseLogLevel } from "./log-record.ts";
export { LogRing, type LogTail } from "./log-ring.ts";
export { notedRefusal } from "./noted-refusal.ts";
export { openLog, type ServiceLog } from "./open-log.ts";
export { type Redactor, redactValues } from "./redact-values.ts";
