/** What a server may ask in the 2026 era, whatever it writes there. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../json/index.ts";
import { askedBy } from "./input-required.ts";

const asked = (inputRequests: unknown) =>
  askedBy({ resultType: "input_required", inputRequests } as JsonObject, undefined, new Set());

test("a question that is none is named as one that cannot be asked", () => {
  for (const question of [null, 7, "x", [], {}, { method: "elicitation/create", params: null }])
    expect(asked({ a: question })).toBe("it asked for something that this service does not offer");
});

test("no answer of a server makes reading its questions fail", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const found = asked(value);
      expect(typeof found === "string" || typeof found === "object").toBe(true);
    }),
  );
});
