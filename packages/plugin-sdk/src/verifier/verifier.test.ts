import { number, object } from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { fakeCheck } from "../testing/index.ts";
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
    expect(await fakeCheck(verifier, { least: 4 })).toMatchObject({ kind: "verdict", verdict: { met: false } });
    expect(await fakeCheck(verifier, { least: "4" })).toMatchObject({ kind: "invalid", message: expect.any(String) });
  });

  test.each(["", "At", "a:b", "-a", "a".repeat(65)])("refuses the name %j", (name) => {
    expect(() => defineVerifier({ ...definition, name })).toThrow(TypeError);
  });

  test("a check that throws came to no verdict, and is given the time it is made at", async () => {
    const args = object({});
    const check = (_: object, { now }: { now(): Date }) => {
      throw new Error(now().toISOString());
    };
    const verifier = defineVerifier({ name: "late", description: "Too late.", args, check });
    const made = await fakeCheck(verifier, undefined, { now: new Date(0) });
    expect(made).toMatchObject({ kind: "threw", error: { message: "1970-01-01T00:00:00.000Z" } });
  });

  test("refuses a blank description", () => {
    expect(() => defineVerifier({ ...definition, description: " " })).toThrow(TypeError);
  });
});
