import type { Draft, FieldSpec } from "./field-spec.ts";

/** What of a field decides whether it is shown. */
export type Dependent = Pick<FieldSpec, "key" | "value" | "depends_on">;

/**
 * Whether a field counts as things stand in the form, so that it is shown: what it depends on has the value it names,
 * or, where it names none, says anything at all. A field whose ground is not in the form is shown.
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

/** Leaves a field out, so that two that depend on each other end. */
function without(fields: readonly Dependent[], field: Dependent): readonly Dependent[] {
  return fields.filter((one) => one !== field);
}
