import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type MemoryInspectorService, memoryRoutes } from "./routes.ts";

function inspector() {
  const asked: unknown[] = [];
  const counts = { chunks: 1, frames: 0, summaries: 0, sources: 0, attachments: 0, vectors: 0 };
  const at = "2026-11-23T06:00:00.000Z";
  const service: MemoryInspectorService = {
    async forget(which, dryRun) {
      asked.push([which, dryRun]);
      return { receipt_id: dryRun ? null : 1, counts, kept: [] };
    },
    texts: async () => ({ texts: ["Ferns."], places: ["/home/knowledge/agent.db"] }),
    receipts: async (limit, before = 4) =>
      [3, 2, 1]
        .filter((id) => id < before)
        .slice(0, limit)
        .map((id) => ({ id, scope: "chunks" as const, counts, begun_at: at, at })),
    hot: async () => [],
    editHot: () => Promise.reject(new Error("not asked for")),
    removeHot: async (id) => void asked.push(id),
  };
  return { ask: askRoutes(memoryRoutes(service)), asked };
}

it("forgets what one name says, and refuses none and several", async () => {
  const { ask, asked } = inspector();
  const forget = (body: object) => ask("POST", "/api/memory/forget", body);
  expect((await forget({})).status).toBe(400);
  expect((await forget({ source_id: 1, subject: "ferns" })).status).toBe(400);
  expect((await forget({ subject: "ferns", dry_run: true })).body).toMatchObject({ receipt_id: null });
  expect((await forget({ subject: "ferns", texts: true })).status).toBe(400);
  expect((await forget({ subject: "ferns", dry_run: true, texts: true })).body).toMatchObject({ texts: ["Ferns."] });
  expect((await forget({ chunk_ids: [7] })).body).toMatchObject({ receipt_id: 1, counts: { chunks: 1 } });
  expect(asked).toEqual([
    [{ kind: "subject", subject: "ferns" }, true],
    [{ kind: "subject", subject: "ferns" }, true],
    [{ kind: "chunks", ids: [7] }, false],
  ]);
});

it("lists receipts by pages", async () => {
  const { ask } = inspector();
  const first = (await ask("GET", "/api/memory/receipts?limit=2")).body as { next_cursor: string };
  expect(first).toMatchObject({ receipts: [{ id: 3 }, { id: 2 }] });
  const last = (await ask("GET", `/api/memory/receipts?limit=2&cursor=${first.next_cursor}`)).body;
  expect(last).toMatchObject({ receipts: [{ id: 1 }], next_cursor: null });
});
