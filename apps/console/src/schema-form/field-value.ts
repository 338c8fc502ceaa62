import type { FieldSpec } from "./field-spec.ts";

/** The result of reading a control: a value to save, or why there is none. `undefined` as value removes the setting. */
export type Entered = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** The members of a field that decide how its control is read. */
export type ValueSpec = Pick<FieldSpec, "type" | "value"> &
  Partial<Pick<FieldSpec, "minimum" | "maximum" | "options" | "default">>;

/** A field's value as its control shows it: a text, or on and off. A list has an item on each line. */
export function shownValue({ type, value }: ValueSpec): string | boolean {
  if (type === "bool") return value === true;
  if (type === "secret" || value === null || value === undefined) return "";
  if (type === "string_list") return Array.isArray(value) ? value.join("\n") : "";
  if (type === "json") return JSON.stringify(value, undefined, 2);
  return typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** Reads the content of a control. The service checks it again; plain mistakes are reported here, at once. */
export function enteredValue(spec: ValueSpec, entered: string | boolean): Entered {
  if (typeof entered === "boolean") return { ok: true, value: entered };
  switch (spec.type) {
    case "number":
      return enteredNumber(spec, entered.trim());
    case "string_list": {
      const items = entered.split("\n").map((line) => line.trim());
      return { ok: true, value: items.filter((item) => item !== "") };
    }
    case "json":
      return enteredJson(entered.trim());
    case "text":
      return { ok: true, value: entered };
    default:
      return { ok: true, value: entered.trim() };
  }
}

function enteredNumber({ minimum, maximum, default: fallback }: ValueSpec, text: string): Entered {
  if (text === "") {
    // Blank removes the value where that is possible.
    return fallback === null ? { ok: true, value: undefined } : { ok: false, problem: "Enter a number." };
  }
  const value = Number(text);
  if (!Number.isFinite(value)) return { ok: false, problem: "Enter a number." };
  if (minimum !== undefined && value < minimum) return { ok: false, problem: `At least ${minimum}.` };
  if (maximum !== undefined && value > maximum) return { ok: false, problem: `At most ${maximum}.` };
  return { ok: true, value };
}

function enteredJson(text: string): Entered {
  if (text === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: "This is not valid JSON." };
  }
}

/** The bounds of a number as a text; undefined where there are none. */
export function boundsOf({ minimum, maximum }: ValueSpec): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? undefined : `at most ${maximum}`;
}
