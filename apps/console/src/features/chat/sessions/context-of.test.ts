import { expect, test } from "vitest";
import { contextOf } from "./context-of.ts";

const turn = (model: string | null, context_tokens: number | null, context_window: number | null) => ({
  ...{ model, context_tokens, context_window },
});

test("the last turn that reported its context counts, and without a report it is unknown", () => {
  const turns = [turn("a", 100, 1_000), turn("b", 300, null), turn(null, null, null)];
  expect(contextOf(turns, undefined)).toEqual({ context: 300, window: undefined, isNewModel: false });
  expect(contextOf(turns.slice(0, 1), undefined)).toEqual({ context: 100, window: 1_000, isNewModel: false });
  expect(contextOf([], undefined)).toEqual({ context: undefined, window: undefined, isNewModel: false });
});

test("a running turn counts as soon as it is received, with its own model's window", () => {
  const turns = [turn("a", 100, 1_000), turn("b", 300, 2_000)];
  const used = { model: "a", tokens: 900, context: 450 };
  expect(contextOf(turns, used)).toEqual({ context: 450, window: 1_000, isNewModel: false });
  expect(contextOf(turns, { ...used, model: "c" })).toEqual({ context: 450, window: undefined, isNewModel: true });
  expect(contextOf(turns, { ...used, context: undefined })).toMatchObject({ context: undefined, window: 1_000 });
});
