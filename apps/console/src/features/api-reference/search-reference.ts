import type { Operation, OperationGroup } from "./read-reference.ts";
import { schemaRows } from "./schema-rows.ts";

/** A group with the text that a search of each of its operations looks at. */
export interface SearchedGroup {
  readonly name: string;
  readonly operations: readonly { readonly operation: Operation; readonly text: string }[];
}

/** Prepares groups for searches: path, name, texts and names of fields of each operation. */
export function searchable(groups: readonly OperationGroup[]): readonly SearchedGroup[] {
  return groups.map(({ name, operations }) => ({
    name,
    operations: operations.map((operation) => ({ operation, text: `${name} ${textOf(operation)}`.toLowerCase() })),
  }));
}

/** The groups with those of their operations that hold all words of a search. */
export function narrowed(groups: readonly SearchedGroup[], wanted: string): readonly OperationGroup[] {
  const terms = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.flatMap(({ name, operations }) => {
    const fitting = operations.filter(({ text }) => terms.every((term) => text.includes(term)));
    return fitting.length === 0 ? [] : [{ name, operations: fitting.map(({ operation }) => operation) }];
  });
}

function textOf({ id, method, path, summary, description, parameters, body }: Operation): string {
  const fields = body === undefined ? [] : schemaRows(body.schema).map(({ name }) => name);
  return [id, method, path, summary, description, ...parameters.map(({ name }) => name), ...fields].join(" ");
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
