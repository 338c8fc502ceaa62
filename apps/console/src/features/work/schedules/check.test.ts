import { expect, it } from "vitest";
import { draftOf, onlyIfOf } from "./check.ts";

const page = { check: "core:url", check_args: { url: "https://a.example/", contains: "2.0" } };

it.each([
  [null, "none"],
  [page, "page"],
  [{ check: "core:url", check_args: { url: "https://a.example/", expr: "ready" } }, "json"],
  [{ ...page, check_args: { ...page.check_args, status: 404 } }, "json"],
  [{ verifier: { type: "command", command: "true" } }, "json"],
  [{ check: "mine:tide" }, "json"],
])("%j is shown as it is, and sent back the same", (onlyIf, kind) => {
  const draft = draftOf(onlyIf);
  expect(draft.kind).toBe(kind);
  expect(onlyIfOf(draft)).toEqual(onlyIf);
});

it("nothing is sent that is not whole", () => {
  const draft = draftOf(null);
  expect(onlyIfOf({ ...draft, kind: "page", url: "https://a.example/" })).toBeUndefined();
  expect(onlyIfOf({ ...draft, kind: "page", contains: "2.0", url: " " })).toBeUndefined();
  for (const json of ["", "{", "[]", "null", "5"]) expect(onlyIfOf({ ...draft, kind: "json", json })).toBeUndefined();
  expect(onlyIfOf({ ...draftOf(page), kind: "none" })).toBeNull();
});
