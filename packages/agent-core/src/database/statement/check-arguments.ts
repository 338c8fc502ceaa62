import { DatabaseError } from "../database-error.ts";
import type { Value } from "../database-port.ts";
import type { StatementText } from "./statement-text.ts";
import { storableJson, storableText } from "./storable-text.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * Checks what is to be bound and returns about how many bytes it is.
 * The binding aborts the whole process on a boolean and makes NULL of `undefined` and NaN, so these are refused here,
 * before anything is posted. It cuts text at a NUL when it is read: NULs are replaced, in `args` itself, and what would break a JSON text's. Requests and calls
 * that hold such text are refused where they come in; this is for what comes another way, such as a provider's answer.
 * @throws DatabaseError `misuse`
 */
export function checkArguments(text: StatementText, args: readonly Value[]): number {
  if (args.length !== text.parameters) {
    throw refused(text, `takes ${text.parameters} arguments and got ${args.length}`);
  }
  let bytes = 16;
  for (let i = 0; i < args.length; i += 1) {
    const value = args[i] as unknown;
    bytes += 8;
    if (typeof value === "string") {
      if (value.includes("\0")) (args as Value[])[i] = storableText(value);
      else if (value.includes("\\u")) (args as Value[])[i] = storableJson(value);
      bytes += value.length;
    } else if (typeof value === "number") {
      if (!Number.isFinite(value)) throw refused(text, `argument ${i + 1} is ${value}`);
    } else if (typeof value === "bigint") {
      if (value > INT64_MAX || value < INT64_MIN) throw refused(text, `argument ${i + 1} does not fit 64 bits`);
    } else if (value instanceof Uint8Array) {
      bytes += value.byteLength;
    } else if (value !== null) {
      throw refused(text, `argument ${i + 1} is ${described(value)}`);
    }
  }
  return bytes;
}

function described(value: unknown): string {
  if (typeof value === "object" && value !== null) return `an object (${value.constructor?.name ?? "Object"})`;
  return typeof value === "boolean" ? "a boolean" : String(typeof value);
}

function refused(text: StatementText, what: string): DatabaseError {
  return new DatabaseError("misuse", `${what}; the statement: ${text.sql.slice(0, 200)}`);
}
