import { expect, test } from "vitest";
import { CodedError } from "./index.ts";

class FullError extends CodedError<"full" | "gone"> {
  override readonly name = "FullError";

  override get retryable(): boolean {
    return this.code === "full";
  }
}

class PlainError extends CodedError<"plain"> {
  override readonly name = "PlainError";
}

test("an error carries its code, its message and its cause, and is an Error by its own name", () => {
  const cause = new Error("no room");
  const error = new FullError("full", "nothing fits any more", { cause });
  expect(error).toBeInstanceOf(Error);
  expect([error.code, error.message, error.cause, String(error)]).toEqual([
    ...["full", "nothing fits any more", cause],
    "FullError: nothing fits any more",
  ]);
});

test("an error is final unless its class declares it retryable", () => {
  expect(new PlainError("plain", "no").retryable).toBe(false);
  expect([new FullError("full", "no").retryable, new FullError("gone", "no").retryable]).toEqual([true, false]);
});
