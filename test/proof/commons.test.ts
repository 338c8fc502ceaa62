import { expect, it } from "vitest";
import { runCommons } from "./commons/run-commons.ts";

it("loses nothing of what two processes put into one commons, and shows none half (K26)", async () => {
  const { writes, reads, violations } = await runCommons("t", 80);
  expect(violations).toEqual([]);
  expect([writes > 20, reads > 20, writes + reads]).toEqual([true, true, 80]);
});
