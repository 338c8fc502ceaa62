/**
 * The journal's statements: texts generated from `schema/queries.ts`, bound per use (hot-path.md: building a query costs
 * 23 to 42 µs each time, binding 0.2 µs).
 */
import { type BoundStatement, namedStatement, type Statement } from "../database/index.ts";
import { QUERIES } from "./queries.generated.ts";

/** One event row, ready to be bound. */
export interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly body: string;
}

type Names = Exclude<keyof typeof QUERIES, "insertEvents">;

/** The statements by name, and the insert of any number of events. */
export type Statements = { readonly [name in Names]: BoundStatement } & {
  insertEvents(task: string, rows: readonly EventRow[]): Statement[];
};

/** Argument names of the `i`th row, made once. */
function rowNames(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    seq: `seq${i}`,
    at: `at${i}`,
    kind: `kind${i}`,
    body: `body${i}`,
  }));
}

/** Prepares the statements; called once per journal. */
export function createStatements(): Statements {
  const { insertEvents: texts, ...single } = QUERIES;
  const inserts = texts.map(namedStatement);
  const names = rowNames(inserts.length);
  const insertEvents = (task: string, rows: readonly EventRow[]): Statement[] => {
    const out: Statement[] = [];
    for (let start = 0; start < rows.length; start += inserts.length) {
      const count = Math.min(inserts.length, rows.length - start);
      const values: Record<string, string | number> = { task };
      for (let i = 0; i < count; i++) {
        const row = rows[start + i]!;
        const name = names[i]!;
        values[name.seq] = row.seq;
        values[name.at] = row.at;
        values[name.kind] = row.kind;
        values[name.body] = row.body;
      }
      out.push(inserts[count - 1]!.bind(values));
    }
    return out;
  };
  const bound = Object.fromEntries(Object.entries(single).map(([name, text]) => [name, namedStatement(text)])) as {
    [name in Names]: BoundStatement;
  };
  return { ...bound, insertEvents };
}
