import { styleText } from "node:util";
import type { Sink } from "./command-io.ts";

/** All control characters but line feed and tab. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
/** They show a text in another order than it is stored. */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text that is safe for a terminal: output of models, tools and peers must not move the cursor or hide itself. */
export function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(CONTROL, "\ufffd").replaceAll(BIDIRECTIONAL, "");
}

/** The same on one line of at most `width` characters. */
export function oneLine(text: string, width = 120): string {
  const line = clean(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(1, width - 1))}…`;
}

/** Styles of text on a terminal; elsewhere, and with NO_COLOR, text is unchanged. */
export type Look = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export function painter(sink: Sink, env: { readonly [name: string]: string | undefined }) {
  const plain = !sink.terminal || (env.NO_COLOR ?? "") !== "";
  return (look: Look, text: string): string => (plain ? text : styleText(look, text, { validateStream: false }));
}

/** Maximum characters of a cell; the whole text is in the row's own command, and in JSON. */
const MAX_CELL = 120;

/** Rows in columns, on a terminal cut to its width. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[], sink: Sink): string {
  const all = [head, ...rows].map((row) => row.map((cell) => oneLine(cell, MAX_CELL)));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  const cut = (line: string): string =>
    sink.terminal && line.length > sink.columns ? `${line.slice(0, Math.max(20, sink.columns) - 1)}…` : line;
  return lines.map((line) => `${cut(line)}\n`).join("");
}

/** Facts, a name and a text each. */
export function facts(rows: readonly (readonly [name: string, text: string] | undefined)[]): string {
  const known = rows.filter((row) => row !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, text]) => `${name.padEnd(width)}  ${clean(text)}\n`).join("");
}

/** US dollars; an unknown sum is a dash. */
export function dollars(sum: number | null): string {
  if (sum === null) return "-";
  return sum === 0 ? "$0" : `$${sum < 0.01 ? sum.toPrecision(2) : sum.toFixed(2)}`;
}

export function span(ms: number | null): string {
  if (ms === null) return "-";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}
