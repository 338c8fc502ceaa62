import type { GenericSchema } from "valibot";
import { type ProblemSink, problemAt } from "../problem/index.ts";
import type { Provenance } from "../provenance/index.ts";
import { faultOf, isSecret, isSecurity, keysOf, type Section } from "../section/index.ts";
import type { Layers } from "./layers.ts";
import type { Leaf } from "./leaf.ts";

/** Leaves from outside the files: what stands below them, and what stands above. */
export interface OutsideLeaves {
  readonly below: Leaf[];
  readonly above: Leaf[];
}

/** Reads a section's environment variables and flags. A blank variable counts as unset (for tokens: S1). */
export function outsideLeaves(section: Section, layers: Layers, sink: ProblemSink): OutsideLeaves {
  const below: Leaf[] = [];
  const above: Leaf[] = [];
  const flags: Leaf[] = [];
  for (const { key, schema } of keysOf(section.schema)) {
    const secret = isSecret(section, key);
    const declared = section.variables?.[key];
    const text = declared === undefined ? undefined : layers.env[declared.variable];
    if (declared !== undefined && text !== undefined && text.trim() !== "") {
      const from: Provenance = { layer: "env", variable: declared.variable };
      const leaf = check(section, key, schema, coerce(schema, text), from, sink);
      if (secret || declared.mode === "fallback") below.push(leaf);
      else above.push(leaf);
    }
    const given = layers.flags[`${section.name}.${key}`];
    if (given !== undefined)
      flags.push(check(section, key, schema, given.value, { layer: "flag", flag: given.flag }, sink));
  }
  return { below, above: [...above, ...flags] };
}

function check(
  section: Section,
  key: string,
  schema: GenericSchema,
  value: unknown,
  from: Provenance,
  sink: ProblemSink,
): Leaf {
  const secret = isSecret(section, key);
  const fault = faultOf(schema, value, secret);
  if (fault === undefined) return { key, from, valid: true, value };
  const path = `${section.name}.${key}`;
  if (secret || isSecurity(section, key) || from.layer === "flag")
    sink.error(problemAt("wrong-value", from, path, fault.reason));
  else sink.warn(problemAt("wrong-value", from, path, `${fault.reason}; the default is used`));
  return { key, from, valid: false, value: undefined };
}

/** A variable is text; where the schema wants a number or a boolean, the text is read as one. */
function coerce(schema: GenericSchema, text: string): unknown {
  const trimmed = text.trim();
  const readings: unknown[] = [text];
  if (/^[+-]?\d+(\.\d+)?$/.test(trimmed)) readings.push(Number(trimmed));
  if (/^(true|1)$/i.test(trimmed)) readings.push(true);
  if (/^(false|0)$/i.test(trimmed)) readings.push(false);
  return readings.find((reading) => faultOf(schema, reading, true) === undefined) ?? text;
}
