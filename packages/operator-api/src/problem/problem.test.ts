import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  listProblemSchema,
  notEnabled,
  objectProblemSchema,
  Problem,
  problemText,
  textProblemSchema,
} from "./index.ts";

describe("what a client shows of an error body", () => {
  it.each([
    ["a text as it is", { detail: "No such preset." }, "No such preset."],
    [
      "an object's message",
      { detail: { code: "x", message: "The model is gone.", reason: "r" } },
      "The model is gone.",
    ],
    ["an object's reason", { detail: { code: "bad_path", reason: "Outside the project." } }, "Outside the project."],
    ["the first entry of a list", { detail: [{ loc: [], msg: "first", type: "t" }, { msg: "second" }] }, "first"],
    ["nothing of a body of another kind", { error: "x" }, undefined],
    ["nothing of an empty list", { detail: [] }, undefined],
    ["nothing of no body", undefined, undefined],
  ])("is %s", (_, body, shown) => expect(problemText(body)).toBe(shown));
});

it("has one schema for each of the three shapes", () => {
  const bodies = [
    { detail: new Problem(404, "No such preset.").detail },
    { detail: new Problem(422, [{ loc: ["body"], msg: "m", type: "t" }]).detail },
    { detail: new Problem(502, { code: "upstream", message: "m", upstream_status: 500 }).detail },
  ];
  const fits = bodies.map((body) =>
    [textProblemSchema, listProblemSchema, objectProblemSchema].map((schema) => v.is(schema, body)),
  );
  expect(fits).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
});

it("reports a missing feature as not enabled", () => {
  expect(notEnabled("The task board")).toMatchObject({ status: 503, detail: "The task board is not enabled here." });
});
