import { expect, it } from "vitest";
import { openDatabase } from "../../database/index.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { KnowledgeStore } from "../knowledge-store.ts";
import { Forgetting } from "./forgetting.ts";

it("takes copies out for one at a time: two that change a text at once would bring back what the other took out", async () => {
  const db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" } });
  const lazy = { get: async () => db, close: () => db.close() };
  const shared = { clock: manualClock(), bus: { publish: () => {} } };
  const store = new KnowledgeStore({ ...shared, store: lazy, redact: (text) => text });
  for (const [at, content] of ["The heron nests.", "The wren sings."].entries())
    await store.remember(
      {
        ...{ content, domain: "general", kind: "note", subject: "", heading: "", policy: "retrieved", session: "" },
        ...{ expiresAt: undefined, trust: "operator", held: undefined, task: "" },
      },
      `call-${at}`,
    );
  let text = "Found: The heron nests. And: The wren sings.";
  const forgetting = new Forgetting({
    ...{ ...shared, store, exists: () => true, memoryClass: "operator", forgetSource: async () => {} },
    withdrawHidden: async () => {},
    copies: {
      count: async () => ({ frames: 0, summaries: 0, conversations: [] }),
      async remove({ rewrite }) {
        const before = text;
        // Long enough for the other one to come to the same point.
        for (let turn = 0; turn < 50; turn++) await db.read({ sql: "SELECT 1", args: [] });
        text = rewrite(before);
        return { frames: 1, summaries: 0, conversations: [] };
      },
    },
    rewriteTexts: async () => {},
    eraseRemains: () => db.eraseRemains(),
    onFailure: (error) => expect.fail(String(error)),
  });
  await Promise.all([1, 2].map((id) => forgetting.forget({ kind: "chunks", ids: [id] })));
  expect(text).toBe("Found: [forgotten] And: [forgotten]");
  await store.close();
});
