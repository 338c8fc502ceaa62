import type { LogRecord } from "./log-record.ts";

/**
 * A record as one readable line, `2026-11-21T09:24:36.123Z INFO  message key=value`, and below it the indented stack of
 * an error. Control characters are escaped, so no logged text can fake a line or drive the terminal.
 */
export function formatText(record: LogRecord): string {
  const { time, level, msg, err } = record;
  let text = `${time} ${level.padEnd(7)} ${msg}`;
  for (const key of Object.keys(record)) {
    if (key !== "time" && key !== "level" && key !== "msg" && key !== "err")
      text += ` ${key}=${formatValue(record[key])}`;
  }
  const line = visible(text);
  return err === undefined ? line : `${line}${formatError(err)}`;
}

function formatValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "undefined";
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function formatError(error: unknown): string {
  const stack = (error as { stack?: unknown } | null)?.stack;
  if (typeof stack !== "string") return visible(` err=${formatValue(error)}`);
  return stack
    .split("\n")
    .map((line) => `\n    ${visible(line.trim())}`)
    .join("");
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) =>
    character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
