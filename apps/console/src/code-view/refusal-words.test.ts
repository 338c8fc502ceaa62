import { OperatorApiError } from "@agent-service/operator-api/client";
import { expect, test } from "vitest";
import { refusalWords } from "./refusal-words.ts";

const refused = (code: string, reason?: string) =>
  refusalWords(new OperatorApiError(400, { detail: { code, reason } }, undefined));

test.each(["disabled", "denied", "not_found", "not_a_file", "bad_range", "unreadable", "bad_path"])(
  "%s has words of its own for people",
  (code) => {
    const { title, text } = refused(code) ?? {};
    expect([title, text].join()).toMatch(/^[A-Z].+,[A-Z].+\.$/);
    expect([title, text].join()).not.toContain(code);
  },
);

test("what is too large says how large, and what is no refusal has none", () => {
  expect(refused("unreadable", "It has more than 256 MiB.")?.text).toContain("256 MiB");
  expect(refused("disabled")).toMatchObject({ isOff: true });
  expect([refused("other"), refusalWords(new TypeError("fetch")), refusalWords(undefined)]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  expect(refusalWords(new OperatorApiError(504, undefined, undefined))).toBeUndefined();
});
