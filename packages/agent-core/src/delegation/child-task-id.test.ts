import fc from "fast-check";
import { expect, test } from "vitest";
import { createIdSource } from "../event/index.ts";
import { childTaskId } from "./index.ts";

test("is a UUID of version 7 that sorts with the call, and a different one for each position in a call", () => {
  const newId = createIdSource({ now: () => 1_763_000_000_000 });
  fc.assert(
    fc.property(
      fc.constantFrom("call_", "run_", ""),
      fc.uniqueArray(fc.nat(1_000), { minLength: 2 }),
      (prefix, positions) => {
        const id = newId();
        const ids = positions.map((position) => childTaskId(`${prefix}${id.replaceAll("-", "")}`, position));
        expect(new Set(ids).size).toBe(positions.length);
        for (const child of ids) {
          expect(child).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
          expect(child.slice(0, 13)).toBe(id.slice(0, 13));
        }
      },
    ),
  );
});

test("is an id whatever the call is named", () => {
  fc.assert(
    fc.property(fc.string(), (call) => {
      expect(childTaskId(call, 0)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(childTaskId(call, 0)).not.toBe(childTaskId(call, 1));
    }),
  );
});
