import { expect, test } from "vitest";
import { ACCESS, accessOf, fieldsOf } from "./access.ts";

test("what a person chooses is what the project then says", () => {
  for (const { value } of ACCESS) expect(accessOf(fieldsOf(value))).toBe(value);
});

test("a read-only project is that whatever it says of deletes", () => {
  expect(accessOf({ fs: true, write: false, no_delete: true })).toBe("read");
  expect(accessOf({ fs: false, write: true, no_delete: false })).toBe("none");
});
