import fc from "fast-check";
import { expect, it } from "vitest";
import { StopText } from "./stop-text.ts";

const shown = (pieces: readonly string[], stops: readonly string[]): string => {
  const text = new StopText(stops);
  return pieces.map((piece) => text.add(piece)).join("") + text.end();
};

it("shows everything before the first stop sequence, however the text is cut into pieces", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
  const stop = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 6 }), stop, (pieces, sequence) => {
      const whole = pieces.join("");
      expect(shown(pieces, [sequence])).toBe(whole.split(sequence)[0]);
    }),
  );
});

it("holds back only what may be the beginning of one", () => {
  const text = new StopText(["END", "\n\n"]);
  expect([text.add("Hello E"), text.add("N"), text.add("Dless"), text.cut]).toEqual(["Hello ", "", "", true]);
  const other = new StopText(["END", "\n\n"]);
  expect([other.add("Hello E"), other.add("rr"), other.add("\n"), other.add("x"), other.cut]).toEqual([
    "Hello ",
    "Err",
    "",
    "\nx",
    false,
  ]);
});
