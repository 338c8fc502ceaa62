import { expect, test } from "vitest";
import type { McpCallRow } from "../mcp-server-view.ts";
import { CallRecords } from "./call-records.ts";

const row = (n: number): McpCallRow => ({
  ...{ callId: `c${n}`, taskId: "t", tool: "x", outcome: "ok", ms: 1, bytes: 1, approxTokens: 1, at: n },
});
const ids = (rows: readonly McpCallRow[]): readonly string[] => rows.map(({ callId }) => callId);

test("pages go on from a call to older ones, and end where it is not kept any more", () => {
  const records = new CallRecords();
  for (let n = 1; n <= 250; n++) records.add(row(n));
  expect(ids(records.page({ limit: 2 }))).toEqual(["c250", "c249"]);
  expect(ids(records.page({ limit: 2, before: "c249" }))).toEqual(["c248", "c247"]);
  expect(ids(records.page({ limit: 2, before: "c51" }))).toEqual([]);
  // Beginning anew would show the same rows again to whoever follows the pages.
  expect(ids(records.page({ limit: 2, before: "c10" }))).toEqual([]);
});
