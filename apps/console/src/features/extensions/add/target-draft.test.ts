import { expect, test } from "vitest";
import { bodyOf, EMPTY_DRAFT } from "./target-draft.ts";

test("a program is sent with its arguments by line and its variables by their first sign", () => {
  const draft = { ...EMPTY_DRAFT, name: " files ", command: "npx", args: "-y\n\n a b \n", secrets: "TOKEN=a=b" };
  expect(bodyOf(draft)).toEqual({ name: "files", command: "npx", args: ["-y", "a b"], env: { TOKEN: "a=b" } });
});

test("a service is sent with its headers, and nothing of a program", () => {
  const draft = { ...EMPTY_DRAFT, kind: "service" as const, name: "docs", url: "https://a.example", command: "npx" };
  expect(bodyOf(draft)).toEqual({ name: "docs", url: "https://a.example" });
  expect(bodyOf({ ...draft, secrets: "Authorization: Bearer a:b" })).toMatchObject({
    headers: { Authorization: "Bearer a:b" },
  });
});
