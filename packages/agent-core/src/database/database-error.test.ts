import { expect, test } from "vitest";
import {
  DatabaseError,
  type DatabaseErrorCode,
  isConstraintError,
  isExpectationError,
  isStoreGone,
  isStoreUnavailable,
} from "./index.ts";

const CODES: readonly DatabaseErrorCode[] = [
  ...(["expectation_failed", "constraint", "full", "overloaded", "unwritable", "in_use"] as const),
  ...(["lease_lost", "file_lost", "closed", "unreachable", "misuse"] as const),
];

function codesOf(covers: (error: DatabaseError) => boolean): readonly DatabaseErrorCode[] {
  return CODES.filter((code) => covers(new DatabaseError(code, "no")));
}

test("a request that was refused for now may be handed in again; the engine repeats none for too many commands", () => {
  expect(codesOf((error) => error.retryable)).toEqual(["full", "overloaded", "unreachable"]);
  expect(codesOf(isStoreUnavailable)).toEqual(["full", "unreachable"]);
});

test("no other error is one of the store", () => {
  expect(codesOf(isStoreGone)).toEqual(["lease_lost", "file_lost", "closed"]);
  expect(codesOf(isConstraintError)).toEqual(["constraint"]);
  expect(codesOf(isExpectationError)).toEqual(["expectation_failed"]);
  const other = Object.assign(new Error("no"), { code: "constraint" });
  expect([isConstraintError(other), isStoreGone(other), isStoreUnavailable(undefined)]).toEqual([false, false, false]);
});
