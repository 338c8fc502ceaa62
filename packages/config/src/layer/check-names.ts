import { type ProblemSink, problemAt } from "../problem/index.ts";
import { describeProvenance } from "../provenance/index.ts";
import { closestName } from "../section/index.ts";
import { at } from "./collect-keys.ts";
import type { FileLayer } from "./layers.ts";

/**
 * Reports the sections of a file that are declared nowhere: `reserved` ones in one line (they are no typing errors, but they
 * do nothing yet, and silence would let an operator believe in a protection that is not there), others one by one.
 */
export function checkSectionNames(
  file: FileLayer,
  declared: ReadonlySet<string>,
  reserved: ReadonlySet<string>,
  sink: ProblemSink,
): void {
  const later: { name: string; line: number }[] = [];
  for (const [name, { keyLine }] of file.root.entries) {
    if (declared.has(name)) continue;
    if (reserved.has(name)) {
      later.push({ name, line: keyLine });
      continue;
    }
    const near = closestName(name, [...declared, ...reserved]);
    const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
    sink.warn(problemAt("unknown-section", at(file, keyLine), name, `unknown section, ignored${hint}`));
  }
  const first = later[0];
  if (first === undefined) return;
  const names = later.map(({ name }) => name).join(", ");
  const from = at(file, first.line);
  // Every one of them is named, however many: the author relies on it. They are few, and the names are ours.
  const message = `${describeProvenance(from)}: ${names}: not used by this release, ignored`;
  sink.warn({ code: "reserved-section", from, key: names, message });
}
