import { expect, test } from "vitest";
import { pageAt } from "./page-at.ts";

test("the reference is at /app/docs, behind a proxy too; everything else is the welcome page", () => {
  const pages = ["/app/docs", "/agents/peer/app/docs", "/app/", "/app/docs/more", "/app/documents"].map(pageAt);
  expect(pages).toEqual(["docs", "docs", "welcome", "welcome", "welcome"]);
});
