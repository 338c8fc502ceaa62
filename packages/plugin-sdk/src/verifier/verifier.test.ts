import { number, object } from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type AnyVerifier, defineVerifier } from "./index.ts";

const definition = {
  name: "at_least",
  description: "Whether a number is large enough.",
  args: object({ least: number() }),
  check: ({ least }: { least: number }) => ({ met: least <= 3, reason: "It was compared with 3.", evidence: "3" }),
};

describe("defineVerifier", () => {
  test("keeps what was given, and its arguments are typed by their schema", async () => {
    const verifier = defineVerifier(definition);
    expectTypeOf(verifier.check).parameter(0).toEqualTypeOf<{ least: number }>();
    expectTypeOf(verifier).toExtend<AnyVerifier>();
    const context = { signal: new AbortController().signal, now: () => new Date(0) };
    expect(await verifier.check({ least: 4 }, context)).toMatchObject({ met: false });
  });

  test.each(["", "At", "a:b", "-a", "a".repeat(65)])("refuses the name %j", (name) => {
    expect(() => defineVerifier({ ...definition, name })).toThrow(TypeError);
  });

  test("refuses a blank description", () => {
    expect(() => defineVerifier({ ...definition, description: " " })).toThrow(TypeError);
  });
});
