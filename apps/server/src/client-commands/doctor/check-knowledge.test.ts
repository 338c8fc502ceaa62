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
