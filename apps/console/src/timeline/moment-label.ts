import type { JournalRow } from "./journal.ts";

/** Label of a row that is a moment in the timeline; undefined for rows that are not shown. */
export function momentLabel(row: JournalRow): string | undefined {
  switch (row.kind) {
    case "steered":
      return `You said: ${shortened(row.texts.join(" "))}`;
    case "noted":
      return `Guard ${row.guard}: ${shortened(row.text)}`;
    case "pruned":
      return `Shortened ${row.results} old results`;
    case "compacted":
      return `Summarised ${row.summarised} messages`;
    case "recalled":
      return row.items.length === 0
        ? undefined
        : `Recalled ${row.items.length === 1 ? "1 memory" : `${row.items.length} memories`}`;
    case "cut":
      return `Left ${row.left} old messages out of the model's sight`;
    case "detail_removed":
      return `Details deleted because of their age: ${counted(row.model_calls, "model call")} and ${counted(row.tool_calls, "tool call")}`;
    case "model_fallback":
      return `Went on with ${row.to}`;
    case "answer":
      return "Answer";
    default:
      return undefined;
  }
}

/** Shortens a text to 60 characters. */
export function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
