import { createRequire } from "node:module";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core/db";
import { DatabaseError } from "./database-error.ts";
import type { Statement, Value } from "./database-port.ts";

/** A statement's text with its arguments by name, made once and bound often. */
export interface BoundStatement {
  /** The text with `?` placeholders. */
  readonly sql: string;
  /** The statement with these arguments. One that is left out is refused when the statement is committed or read. */
  bind(values: Readonly<Record<string, Value>>): Statement;
}

/** One argument by position: a name to look up, or a constant. */
type Slot = { readonly name: string; readonly map?: (value: Value) => Value } | { readonly constant: Value };

/** Quoted pieces and comments are kept; `:name` in between becomes a placeholder. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|:([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * A statement from SQL with `:name` parameters, for example `SELECT body FROM event WHERE task = :task`. A name may
 * stand in several places. Costs nothing to load, unlike `queryBuilder`.
 */
export function namedStatement(text: string): BoundStatement {
  const slots: Slot[] = [];
  const sql = text.replace(TOKEN, (token: string, name: string | undefined) => {
    if (name === undefined) return token;
    slots.push({ name });
    return "?";
  });
  return bound(sql, slots);
}

/** A drizzle query that has not been run; `toSQL` is called once. */
interface BuiltQuery {
  toSQL(): { readonly sql: string; readonly params: readonly unknown[] };
}

/** What drizzle leaves in `params` for a `sql.placeholder`, alone or with the column that encodes it. */
interface PlaceholderParam {
  readonly name?: string;
  readonly value?: { readonly name?: string };
  readonly encoder?: { mapToDriverValue(value: unknown): unknown };
}

/**
 * A statement from a drizzle query whose changing values are `sql.placeholder`s. Building a query costs 23 to 42 µs,
 * binding one 0.2 (hot-path notes), so this is called at start-up and `bind` on the way.
 */
export function buildStatement(query: BuiltQuery): BoundStatement {
  const { sql, params } = query.toSQL();
  return bound(sql, params.map(slotOf));
}

function slotOf(param: unknown): Slot {
  if (typeof param !== "object" || param === null || param instanceof Uint8Array) return { constant: param as Value };
  const { name, value, encoder } = param as PlaceholderParam;
  if (typeof name === "string") return { name };
  if (typeof value?.name !== "string")
    throw new DatabaseError("misuse", "the query holds a parameter that is no value");
  if (encoder === undefined) return { name: value.name };
  return { name: value.name, map: (given) => encoder.mapToDriverValue(given) as Value };
}

function bound(sql: string, slots: readonly Slot[]): BoundStatement {
  const count = slots.length;
  return {
    sql,
    bind(values) {
      const args = new Array<Value>(count);
      for (let i = 0; i < count; i += 1) {
        const slot = slots[i] as Slot;
        if ("constant" in slot) args[i] = slot.constant;
        else {
          const value = values[slot.name] as Value;
          args[i] = slot.map === undefined || value === null || value === undefined ? value : slot.map(value);
        }
      }
      return { sql, args };
    },
  };
}

/** Drizzle's query builder without a connection: its queries are for `buildStatement`, running one fails. */
export type QueryBuilder = BaseSQLiteDatabase<"async", unknown, Record<string, never>>;

/**
 * A query builder over drizzle tables.
 *
 * Drizzle is loaded by this call and as CommonJS: as ES modules each of its hundred files makes Node read its
 * 180 kB package manifest again (340 ms and 200 MB, against 47 ms and 22 MB; measured with Node 24.21).
 */
export function queryBuilder(): QueryBuilder {
  const load = createRequire(import.meta.url);
  const { BaseSQLiteDatabase: Builder } = load(
    "drizzle-orm/sqlite-core/db",
  ) as typeof import("drizzle-orm/sqlite-core/db");
  const { SQLiteAsyncDialect } = load(
    "drizzle-orm/sqlite-core/dialect",
  ) as typeof import("drizzle-orm/sqlite-core/dialect");
  return new Builder("async", new SQLiteAsyncDialect(), undefined as never, undefined);
}
