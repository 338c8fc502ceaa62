import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** A value on the wire. */
type WireValue =
  | { readonly type: "null" }
  | { readonly type: "integer"; readonly value: string }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "blob"; readonly base64: string };

interface WireStatement {
  readonly sql?: string | null;
  readonly sql_id?: number | null;
  readonly args?: readonly WireValue[];
}

/** When a step of a batch runs. */
interface Condition {
  readonly type: "ok" | "error" | "not" | "and" | "or" | "is_autocommit";
  readonly step?: number;
  readonly cond?: Condition;
  readonly conds?: readonly Condition[];
}

/** One request of a pipeline. */
export interface PipelineRequest {
  readonly type: string;
  readonly sql?: string | null;
  readonly sql_id?: number | null;
  readonly stmt?: WireStatement;
  readonly batch?: {
    readonly steps: readonly { readonly stmt: WireStatement; readonly condition?: Condition | null }[];
  };
}

interface WireError {
  readonly message: string;
  readonly code: string;
}

const CODES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  13: "SQLITE_FULL",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
};

/** One stream of the protocol: a connection of its own, with the texts stored on it. */
export class HranaStream {
  readonly #db: DatabaseSync;
  readonly #texts = new Map<number, string>();

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 5_000 });
  }

  /** Runs a request and returns its result as the protocol has it. */
  run(request: PipelineRequest): unknown {
    try {
      return { type: "ok", response: { type: request.type, ...this.#respond(request) } };
    } catch (error) {
      return { type: "error", error: wireError(error) };
    }
  }

  /** Ends the stream; an open transaction is undone. */
  close(): void {
    this.#db.close();
  }

  #respond(request: PipelineRequest): object {
    switch (request.type) {
      case "close":
        return {};
      case "store_sql":
        this.#texts.set(request.sql_id ?? -1, request.sql ?? "");
        return {};
      case "close_sql":
        this.#texts.delete(request.sql_id ?? -1);
        return {};
      case "sequence":
        this.#db.exec(this.#text(request));
        return {};
      case "execute":
        return { result: this.#execute(request.stmt ?? {}) };
      case "batch":
        return { result: this.#batch(request.batch?.steps ?? []) };
      default:
        throw new Error(`the double does not know ${request.type}`);
    }
  }

  #batch(steps: NonNullable<PipelineRequest["batch"]>["steps"]): object {
    const results: (object | null)[] = [];
    const errors: (WireError | null)[] = [];
    const holds = (condition: Condition): boolean => {
      const { type, step = -1, cond, conds = [] } = condition;
      if (type === "ok") return results[step] !== null && results[step] !== undefined;
      if (type === "error") return errors[step] !== null && errors[step] !== undefined;
      if (type === "not") return cond === undefined || !holds(cond);
      if (type === "and") return conds.every(holds);
      if (type === "or") return conds.some(holds);
      return !this.#db.isTransaction;
    };
    for (const { stmt, condition } of steps) {
      let result: object | null = null;
      let error: WireError | null = null;
      try {
        if (condition === undefined || condition === null || holds(condition)) result = this.#execute(stmt);
      } catch (caught) {
        error = wireError(caught);
      }
      results.push(result);
      errors.push(error);
    }
    return { step_results: results, step_errors: errors };
  }

  #execute(statement: WireStatement): object {
    const prepared = this.#db.prepare(this.#text(statement));
    prepared.setReadBigInts(true);
    prepared.setReturnArrays(true);
    const args = (statement.args ?? []).map(sqlValue);
    const columns = prepared.columns();
    const base = { cols: columns.map(({ name, type }) => ({ name, decltype: type })) };
    if (columns.length === 0) {
      const { changes, lastInsertRowid } = prepared.run(...args);
      return { ...base, rows: [], affected_row_count: Number(changes), last_insert_rowid: String(lastInsertRowid) };
    }
    const rows = prepared.all(...args) as unknown as unknown[][];
    return { ...base, rows: rows.map((row) => row.map(wireValue)), affected_row_count: 0, last_insert_rowid: null };
  }

  #text({ sql, sql_id }: { readonly sql?: string | null; readonly sql_id?: number | null }): string {
    const text = sql ?? this.#texts.get(sql_id ?? -1);
    if (text === undefined) throw new Error(`no text is stored as ${sql_id}`);
    return text;
  }
}

function wireError(error: unknown): WireError {
  const { message, errcode } = error as { message: string; errcode?: number };
  return { message, code: CODES[(errcode ?? 1) & 0xff] ?? "SQLITE_ERROR" };
}

function sqlValue(value: WireValue): SQLInputValue {
  if (value.type === "null") return null;
  if (value.type === "integer") return BigInt(value.value);
  if (value.type === "blob") return Buffer.from(value.base64, "base64");
  return value.value;
}

function wireValue(value: unknown): WireValue {
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  if (value instanceof Uint8Array) return { type: "blob", base64: Buffer.from(value).toString("base64") };
  return { type: "null" };
}
