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

/** Lines of at least a level that match all terms of a search, in the message or a field. */
export function matchingLines(lines: readonly LogLine[], level: LogLine["level"], search: string): readonly LogLine[] {
  const least = rankOf(level);
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (rankOf(line.level) < least) return false;
    if (terms.length === 0) return true;
    const text = `${line.message} ${fieldsText(line.fields)}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}

function rankOf(level: LogLine["level"]): number {
  return LEVELS.findIndex(({ value }) => value === level);
}

/** The fields of a log line as one text: `task=01a… ms=12`. */
export function fieldsText(fields: LogLine["fields"]): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
