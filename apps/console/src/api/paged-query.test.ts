import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { pagedQuery } from "./paged-query.ts";

test("a list is read from its beginning, each page from where the one before it ended, until there is none", async () => {
  const asked: unknown[] = [];
  const query = pagedQuery(["rows"], async (page) => {
    asked.push(page);
    return { rows: [asked.length], next_cursor: asked.length < 3 ? `after-${asked.length}` : null };
  });
  const { pages } = await new QueryClient().fetchInfiniteQuery({ ...query, pages: 5 });
  expect(asked).toEqual([{}, { cursor: "after-1" }, { cursor: "after-2" }]);
  expect(pages.flatMap(({ rows }) => rows)).toEqual([1, 2, 3]);
});
