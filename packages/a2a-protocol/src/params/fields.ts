/** What the params of every version are made of (A4), and the one way they are refused. */
import * as v from "valibot";
import { invalidParams } from "../error/index.ts";
import type { Metadata } from "../message/index.ts";

/** Longest id, URI or media type a caller may choose. */
const MAX_NAME = 1024;

/** A name that every store and header can carry: no lone surrogates, no control characters. */
export const chosen = v.pipe(
  v.string(),
  v.maxLength(MAX_NAME),
  v.check((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not hold control characters"),
);

// Many clients write null for what they leave out, so every optional field takes it.

/** Free-form data, or nothing. */
export const metadata = v.nullish(v.custom<Metadata>(isPlainObject, "must be an object"));
/** A chosen name, or nothing. */
export const name = v.nullish(chosen);
/** Chosen names, at most a hundred, or nothing. */
export const names = v.nullish(v.pipe(v.array(chosen), v.maxLength(100)));
/** How many messages of a history, or nothing. */
export const historyLength = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
/** A chosen name that has to be there. */
export const required = v.pipe(chosen, v.minLength(1));

/** Params by a schema. Throws `A2AError` INVALID_PARAMS naming the first field that does not fit. */
export function readParams<S extends v.GenericSchema>(schema: S, params: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, params, { abortEarly: true });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  // A message of the validator can quote what it was given, at any length.
  throw invalidParams(`${path === null ? "params" : `params.${path}`}: ${issue.message.slice(0, 200)}`);
}

/** The cursor in `metadata.after` (A20). Throws `A2AError` INVALID_PARAMS for what is no sequence number. */
export function cursorIn(extra: Metadata | null | undefined): number | undefined {
  const after = extra?.after ?? undefined;
  if (after === undefined) return undefined;
  if (!Number.isSafeInteger(after) || (after as number) < 0) {
    throw invalidParams("params.metadata.after: must be a sequence number");
  }
  return after as number;
}

export function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
