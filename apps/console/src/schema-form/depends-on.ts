import type { Draft, FieldSpec } from "./field-spec.ts";

/** The members of a field that decide whether it is shown. */
export type Dependent = Pick<FieldSpec, "key" | "value" | "depends_on">;

/**
 * Whether a field is shown: the field it depends on has the value it names,
 * or, where it names none, has any value. A field is shown if the one it depends on is not in the form.
 */
export function counts({ depends_on: on }: Dependent, fields: readonly Dependent[], draft: Draft): boolean {
  if (on === undefined) return true;
  const ground = fields.find(({ key }) => key === on.key);
  if (ground === undefined) return true;
  const value = draft.get(on.key) ?? ground.value;
  if (!counts(ground, without(fields, ground), draft)) return false;
  if (on.in !== undefined) return on.in.some((one) => one === value);
  if (on.equals !== undefined) return on.equals === value;
  return value !== "" && value !== false && value !== null && value !== undefined;
}

/** Without the field itself, so that two that depend on each other do not recurse. */
function without(fields: readonly Dependent[], field: Dependent): readonly Dependent[] {
  return fields.filter((one) => one !== field);
}
