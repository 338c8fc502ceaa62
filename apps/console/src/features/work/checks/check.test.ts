import { expect, it } from "vitest";
import { checkOf, draftOf } from "./check.ts";

const page = { check: "core:url", check_args: { url: "https://a.example/", contains: "2.0" } };

it.each([
  [null, "none"],
  [page, "page"],
  [{ check: "core:url", check_args: { url: "https://a.example/", expr: "ready" } }, "json"],
  [{ ...page, check_args: { ...page.check_args, status: 404 } }, "json"],
  [{ verifier: { type: "command", command: "true" } }, "json"],
  [{ check: "mine:tide" }, "json"],
])("%j is shown as it is, and sent back the same", (check, kind) => {
  const draft = draftOf(check);
  expect(draft.kind).toBe(kind);
  expect(checkOf(draft)).toEqual(check);
});

it("nothing is sent that is not whole", () => {
  const draft = draftOf(null);
  expect(checkOf({ ...draft, kind: "page", url: "https://a.example/" })).toBeUndefined();
  expect(checkOf({ ...draft, kind: "page", contains: "2.0", url: " " })).toBeUndefined();
  for (const json of ["", "{", "[]", "null", "5"]) expect(checkOf({ ...draft, kind: "json", json })).toBeUndefined();
  expect(checkOf({ ...draftOf(page), kind: "none" })).toBeNull();
});

it("a page that is to change is asked for without a text", () => {
  const draft = { ...draftOf(page), kind: "change" as const };
  expect(checkOf(draft)).toEqual({ check: "core:url", check_args: { url: "https://a.example/" } });
  expect(checkOf({ ...draft, url: " " })).toBeUndefined();
});
