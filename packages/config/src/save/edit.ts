/** A step into a value: a key of a mapping, or the entry of a list whose `field` is `is`. */
export type EditStep = string | { readonly field: string; readonly is: string };

/** One change of a configuration file. `value` undefined removes the value at `path`. */
export interface ConfigEdit {
  readonly path: readonly [EditStep, ...EditStep[]];
  readonly value: unknown;
}

type Plain = { [key: string]: unknown };

export function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value with a change made: a copy along the path, the rest is shared. What is missing on the way is created. */
export function editedValue(value: unknown, path: readonly EditStep[], change: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change;
  if (value === undefined && change === undefined) return undefined;
  if (typeof step === "string") {
    const map = isPlain(value) ? value : {};
    const inner = editedValue(Object.hasOwn(map, step) ? map[step] : undefined, rest, change);
    if (inner !== undefined) return { ...map, [step]: inner };
    const { [step]: _removed, ...others } = map;
    return others;
  }
  const list: unknown[] = Array.isArray(value) ? value : [];
  const at = list.findIndex((entry) => isPlain(entry) && entry[step.field] === step.is);
  if (at === -1) {
    const fresh = editedValue({ [step.field]: step.is }, rest, change);
    return change === undefined ? list : [...list, fresh];
  }
  const inner = editedValue(list[at], rest, change);
  return inner === undefined ? list.toSpliced(at, 1) : list.with(at, inner);
}

/** The value without what is empty: `null` and mappings that hold nothing. */
export function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (!isPlain(value)) return value;
  const entries = Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, withoutNothing(inner)])
    .filter(
      ([, inner]) => inner !== null && inner !== undefined && !(isPlain(inner) && Object.keys(inner).length === 0),
    );
  return Object.fromEntries(entries);
}
