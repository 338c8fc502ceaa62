/** Lines of a file that the agent or a person points at. Without lines: the file. */
export interface CodePlace {
  readonly project: string;
  /** From the project's folder. */
  readonly path: string;
  readonly lines: LineRange | undefined;
  /** What the agent says of them; blank: nothing. */
  readonly note: string;
}

export interface LineRange {
  /** From 1. */
  readonly start: number;
  readonly end: number;
}

/** Reads the component that `show_code` shows; undefined for any other data. */
export function readCodePlace(value: unknown): CodePlace | undefined {
  const { component, props } = fieldsOf(value);
  if (component !== "code") return undefined;
  const { project, path, start, end, note } = fieldsOf(props);
  if (typeof project !== "string" || typeof path !== "string" || path === "") return undefined;
  return { project, path, lines: rangeOf(start, end), note: typeof note === "string" ? note : "" };
}

/** Lines as they stand in an address: `12`, `12-20`; undefined for what is no range. */
export function parseLines(text: string | undefined): LineRange | undefined {
  const [, start, end] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text ?? "") ?? [];
  return start === undefined ? undefined : rangeOf(Number(start), Number(end ?? start));
}

export function linesText({ start, end }: LineRange): string {
  return start === end ? String(start) : `${start}-${end}`;
}

/** Lines as a value of an address, where the router would quote a text of digits. */
export function linesValue(lines: LineRange): string | number {
  return lines.start === lines.end ? lines.start : linesText(lines);
}

/** For people: `line 12`, `lines 12 to 20`. */
export function linesWords({ start, end }: LineRange): string {
  return start === end ? `line ${start}` : `lines ${start} to ${end}`;
}

function rangeOf(start: unknown, end: unknown): LineRange | undefined {
  if (typeof start !== "number" || !Number.isSafeInteger(start) || start < 1) return undefined;
  return { start, end: typeof end === "number" && Number.isSafeInteger(end) && end > start ? end : start };
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : {};
}
