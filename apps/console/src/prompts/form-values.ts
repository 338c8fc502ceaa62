import type { FormField } from "./form-fields.ts";

/** The content of a control: a text, on or off, the indexes of the chosen options. */
export type Entry = string | boolean | readonly number[];

/** The content of all controls, by the field's name in `nameOf`. */
export type Entries = ReadonlyMap<string, Entry>;

/** A value for the answer, no value, or why there is none. */
export type ReadEntry = { readonly value: unknown } | { readonly problem: string };

/** A name for a field, unique in its step. */
export function nameOf({ path }: Pick<FormField, "path">): string {
  return path.join(".");
}

/** The initial content of a field's control: its default, else nothing. */
export function firstEntry({ control, fallback }: FormField): Entry {
  const indexOf = (value: unknown): number => {
    if (control.kind !== "choice" && control.kind !== "choices") return -1;
    return control.options.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(value));
  };
  switch (control.kind) {
    case "switch":
      return fallback === true;
    case "choice":
      return fallback === undefined || indexOf(fallback) < 0 ? "" : String(indexOf(fallback));
    case "choices":
      return Array.isArray(fallback) ? fallback.map(indexOf).filter((at) => at >= 0) : [];
    case "list":
      return Array.isArray(fallback) ? fallback.map(String).join("\n") : "";
    case "json":
      return fallback === undefined ? "" : JSON.stringify(fallback, undefined, 2);
    default:
      return typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "";
  }
}

/** Reads the content of a control. `value` undefined: the field is left out. The service checks all of it again. */
export function readEntry(field: FormField, entry: Entry): ReadEntry {
  const { control, required, bounds } = field;
  if (typeof entry === "boolean") return { value: entry };
  if (typeof entry !== "string") {
    const options = control.kind === "choices" ? control.options : [];
    return counted(
      field,
      entry.map((at) => options[at]?.value),
    );
  }
  if (control.kind === "list") {
    const items = entry.split("\n").map((line) => line.trim());
    return counted(
      field,
      items.filter((item) => item !== ""),
    );
  }
  if (entry.trim() === "") return required ? { problem: "Fill this in." } : { value: undefined };
  switch (control.kind) {
    case "number":
      return readNumber(field, entry.trim(), control.whole);
    case "choice":
      return { value: control.options[Number(entry)]?.value };
    case "json":
      try {
        return { value: JSON.parse(entry) };
      } catch {
        return { problem: "This is not valid JSON." };
      }
    default:
      if (entry.length < (bounds.shortest ?? 0)) return { problem: `At least ${bounds.shortest} characters.` };
      if (entry.length > (bounds.longest ?? Number.POSITIVE_INFINITY)) {
        return { problem: `At most ${bounds.longest} characters.` };
      }
      return { value: entry };
  }
}

function counted({ required, bounds: { shortest = 0, longest } }: FormField, items: readonly unknown[]): ReadEntry {
  if (items.length === 0 && !required) return { value: undefined };
  const least = Math.max(shortest, required ? 1 : 0);
  if (items.length < least && shortest > 0) return { problem: `At least ${least}.` };
  if (longest !== undefined && items.length > longest) return { problem: `At most ${longest}.` };
  return { value: items };
}

function readNumber({ bounds: { least, most } }: FormField, text: string, whole: boolean): ReadEntry {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "Enter a number." };
  if (whole && !Number.isInteger(value)) return { problem: "Enter a whole number." };
  if (least !== undefined && value < least) return { problem: `At least ${least}.` };
  if (most !== undefined && value > most) return { problem: `At most ${most}.` };
  return { value };
}

/** The values of a step, or the problems by field. */
export type StepAnswer =
  | { readonly ok: true; readonly values: { readonly [name: string]: unknown } }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/** Reads the current content of a step. */
export function readStep(fields: readonly FormField[], entries: Entries): StepAnswer {
  const values: { [name: string]: unknown } = {};
  const problems = new Map<string, string>();
  for (const field of fields) {
    const read = readEntry(field, entries.get(nameOf(field)) ?? firstEntry(field));
    if ("problem" in read) problems.set(nameOf(field), read.problem);
    else if (read.value !== undefined) put(values, field.path, read.value);
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, values };
}

/** Sets an own property at any depth, also one named `__proto__`. */
function put(target: { [name: string]: unknown }, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  const inner = Object.hasOwn(target, name) ? (target[name] as { [name: string]: unknown }) : {};
  if (rest.length > 0) put(inner, rest, value);
  const own = { value: rest.length > 0 ? inner : value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(target, name, own);
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "Enter an e-mail address.",
  uri: "Enter a web address.",
  url: "Enter a web address.",
  date: "Enter a date, for example 2027-01-31.",
  "date-time": "Enter a date with a time.",
};

function formatProblem(reason: string): string {
  const format = /format "([^"]+)"/.exec(reason)?.[1] ?? "";
  return FORMATS[format] ?? `This is not valid: ${reason}.`;
}

/** Reads the field and the problem from the service's refusal of an answer: `Step 2: The field mail does not fit: …`. */
export function fieldInReason(
  reason: string,
): { readonly step: number; readonly name: string; readonly problem: string } | undefined {
  const [, step = "1", name, missing, why] =
    /^(?:Step (\d+): )?The field (\S+) (?:(is missing)|does not fit: (.+?))\.?$/s.exec(reason) ?? [];
  if (name === undefined) return undefined;
  const problem = missing !== undefined ? "Fill this in." : formatProblem(why ?? "");
  return { step: Number(step) - 1, name, problem };
}
