import { expect, it } from "vitest";
import { knowledgeFindings } from "./check-knowledge.ts";

it("counts memories, and says of each document that was not read why", () => {
  expect(knowledgeFindings({ total: 1, pending: 0, failed: [] })).toEqual([
    { state: "ok", about: "memory", text: "1 memory" },
  ]);
  const failed = [{ id: 7, title: "x.pdf", error: "the PDF is damaged" }];
  expect(knowledgeFindings({ total: 2, pending: 3, failed }).map(({ state, text }) => [state, text])).toEqual([
    ["ok", "2 memories, 3 wait for you"],
    ["warning", "x.pdf was not read: the PDF is damaged"],
  ]);
});

it("says how memories are found by meaning, and where the endpoint fails", () => {
  const said = (meaning: { isFailing: boolean; waiting: number; dimensions: number | null }) =>
    knowledgeFindings({ total: 1, pending: 0, failed: [], meaning })
      .slice(1)
      .map(({ state, text }) => `${state}: ${text}`);
  expect(said({ isFailing: false, waiting: 0, dimensions: 1_024 })).toEqual([
    "ok: found by meaning too, with vectors of 1024 numbers",
  ]);
  expect(said({ isFailing: false, waiting: 7, dimensions: null })[0]).toContain(
    "not asked yet, 7 without a vector yet",
  );
  expect(said({ isFailing: true, waiting: 3, dimensions: 4 })[0]).toMatch(
    /^warning: the endpoint .* words alone count, 3 /,
  );
});
