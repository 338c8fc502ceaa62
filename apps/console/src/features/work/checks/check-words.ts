/** A check as people read it: what it looks for, what it runs or looks at, and what else holds of it. */
export interface CheckWords {
  readonly what: string;
  readonly code?: string;
  readonly more: readonly string[];
}

type Fields = { readonly [name: string]: unknown };

/** Reads a verifier, or the check before a slot; undefined: it is of a kind that has no words here. */
export function checkWords(check: unknown): CheckWords | undefined {
  const spec = ofSlot(check);
  const words = spec === undefined ? undefined : wordsOf(spec);
  if (spec === undefined || words === undefined) return undefined;
  const { cwd, pin } = spec;
  const more = [
    ...(typeof cwd === "string" ? [`in ${cwd}`] : []),
    ...(Array.isArray(pin) && pin.length > 0 ? [`${pin.join(", ")} must not change`] : []),
  ];
  return { ...words, more };
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

/** `only_if` has a verifier, or names one with its arguments. */
function ofSlot(check: unknown): Fields | undefined {
  const given = fieldsOf(check);
  if (given === undefined || "type" in given) return given;
  if ("verifier" in given) return fieldsOf(given.verifier);
  return { type: "plugin", check: given.check, args: given.check_args };
}

function wordsOf({ type, command, path, contains, expr, check, args }: Fields): Omit<CheckWords, "more"> | undefined {
  if (type === "command" && typeof command === "string") return { what: "A command ends with 0", code: command };
  if (type === "test" && typeof command === "string")
    return { what: "The tests pass, and there are some", code: command };
  if (type === "data" && typeof path === "string") {
    if (typeof expr === "string") return { what: `Of ${path} this is true`, code: expr };
    return typeof contains === "string" ? { what: `${path} contains`, code: contains } : undefined;
  }
  if (type === "llm") return { what: "A model judges it" };
  if (type !== "plugin" || typeof check !== "string") return undefined;
  const shown = Object.entries(fieldsOf(args) ?? {}).map(([name, value]) => `${name}: ${textOf(value)}`);
  return shown.length === 0 ? { what: check } : { what: check, code: shown.join("\n") };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
