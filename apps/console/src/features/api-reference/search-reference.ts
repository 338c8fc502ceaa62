import type { Operation, OperationGroup } from "./read-reference.ts";
import { schemaRows } from "./schema-rows.ts";

/** The groups with those of their operations that hold all words of a search: in path, name, texts, or a field's name. */
export function narrowed(groups: readonly OperationGroup[], wanted: string): readonly OperationGroup[] {
  const terms = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return groups;
  return groups.flatMap(({ name, operations }) => {
    const fitting = operations.filter((operation) => {
      const text = `${name} ${textOf(operation)}`.toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    return fitting.length === 0 ? [] : [{ name, operations: fitting }];
  });
}

const texts = new WeakMap<Operation, string>();

function textOf(operation: Operation): string {
  const known = texts.get(operation);
  if (known !== undefined) return known;
  const { id, method, path, summary, description, parameters, body } = operation;
  const fields = body === undefined ? [] : schemaRows(body.schema).map(({ name }) => name);
  const all = [id, method, path, summary, description, ...parameters.map(({ name }) => name), ...fields].join(" ");
  texts.set(operation, all);
  return all;
}

/** How the document describes routes that the build does not have. */
const ABSENT = /^Not in this build/;

/** What the build does not have in a group of its own, at the end. */
export function withAbsentLast(groups: readonly OperationGroup[]): readonly OperationGroup[] {
  const isAbsent = ({ summary }: Operation): boolean => ABSENT.test(summary);
  const present = groups.flatMap(({ name, operations }) => {
    const there = operations.filter((one) => !isAbsent(one));
    return there.length === 0 ? [] : [{ name, operations: there }];
  });
  const absent = groups.flatMap(({ operations }) => operations.filter(isAbsent));
  return absent.length === 0 ? present : [...present, { name: "Not in this build", operations: absent }];
}
