import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A line of the log. */
export type LogLine = AnswerOf<Extract<OperatorDefinition, { readonly name: "diagnostics.logs" }>>["entries"][number];

/** Levels, the least severe first, with what choosing one shows. */
export const LEVELS = [
  { value: "DEBUG", label: "Everything" },
  { value: "INFO", label: "Info and above" },
  { value: "WARNING", label: "Warnings and errors" },
  { value: "ERROR", label: "Errors" },
] as const satisfies readonly { readonly value: LogLine["level"]; readonly label: string }[];

/** How far back lines are shown. */
export const RANGES = [
  { value: "all", label: "Any time", minutes: Number.POSITIVE_INFINITY },
  { value: "5m", label: "Last 5 minutes", minutes: 5 },
  { value: "15m", label: "Last 15 minutes", minutes: 15 },
  { value: "1h", label: "Last hour", minutes: 60 },
  { value: "24h", label: "Last day", minutes: 24 * 60 },
] as const;

/** The time in epoch milliseconds from which a range shows lines. */
export function beginOf(range: (typeof RANGES)[number], now: number): number {
  return now - range.minutes * 60_000;
}

/** Which lines are shown. */
export interface LogFilter {
  readonly level: LogLine["level"];
  readonly search: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Lines of at least a level, since a time, that match all terms of a search, in the message or a field. */
export function matchingLines(lines: readonly LogLine[], { level, search, since }: LogFilter): readonly LogLine[] {
  const least = rankOf(level);
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (rankOf(line.level) < least || Date.parse(line.time) < since) return false;
    if (terms.length === 0) return true;
    const text = `${line.message} ${fieldsText(line.fields)}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}

function rankOf(level: LogLine["level"]): number {
  return LEVELS.findIndex(({ value }) => value === level);
}

/** The run that a line is about; undefined: of none. */
export function taskOf({ fields: { task } }: LogLine): string | undefined {
  return typeof task === "string" && task !== "" ? task : undefined;
}

/** The fields of a log line as one text: `task=01a… ms=12`. */
export function fieldsText(fields: LogLine["fields"]): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
