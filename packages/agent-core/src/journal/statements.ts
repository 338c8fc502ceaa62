/**
 * The journal's statements: texts generated from `schema/queries.ts`, bound per use (building a query costs
 * 23 to 42 µs each time, binding 0.2 µs).
 */
import { type BoundStatement, namedStatement, type Statement, type Value } from "../database/index.ts";
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

/** @throws Error when an insert of `count` rows takes its arguments in another order than they are given in */
function checkOrder(insert: BoundStatement, count: number): void {
  const expected = Array.from({ length: count }, (_, i) => `task seq${i} at${i} kind${i} body${i}`).join(" ");
  if (insert.names.join(" ") !== expected) throw new Error(`insertEvents takes ${insert.names.join(" ")}`);
}

/** Prepares the statements; called once per journal. */
export function createStatements(): Statements {
  const { insertEvents: texts, ...single } = QUERIES;
  const inserts = texts.map(namedStatement);
  for (const [i, insert] of inserts.entries()) checkOrder(insert, i + 1);
  // Bound by position: every task passes here several times, and an object of names per insert showed in profiles.
  const insertEvents = (task: string, rows: readonly EventRow[]): Statement[] => {
    const out: Statement[] = [];
    for (let start = 0; start < rows.length; start += inserts.length) {
      const count = Math.min(inserts.length, rows.length - start);
      const args: Value[] = [];
      for (let i = start; i < start + count; i++) {
        const { seq, at, kind, body } = rows[i]!;
        args.push(task, seq, at, kind, body);
      }
      out.push({ sql: inserts[count - 1]!.sql, args });
    }
    return out;
  };
  const bound = Object.fromEntries(Object.entries(single).map(([name, text]) => [name, namedStatement(text)])) as {
    [name in Names]: BoundStatement;
  };
  return { ...bound, insertEvents };
}
