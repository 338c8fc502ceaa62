import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type KnowledgeQuery, type KnowledgeService, knowledgeRoutes } from "./routes.ts";

type Row = Awaited<ReturnType<KnowledgeService["add"]>>;

const chunk = (id: number): Row => ({
  ...{ id, revision: 1, heading: "", content: "Ferns.", preview: "Ferns.", domain: "general", memory_kind: "note" },
  ...{
    subject: "",
    delivery_policy: "retrieved",
    review_state: "accepted",
    review_reason: null,
    contradicts: null,
    trust: "operator",
    session_id: null,
  },
  ...{ created_at: "2026-11-23T06:00:00.000Z", updated_at: "2026-11-23T06:00:00.000Z" },
  ...{ expires_at: null, superseded_by: null, source: null, source_id: null, source_type: null },
  ...{
    finding_type: null,
    task_id: null,
    invalidated_at: null,
    score: null,
    tier: "private",
    commons: null,
    injecting: true,
  },
});

function knowledge() {
  const asked: unknown[] = [];
  const service: KnowledgeService = {
    async search(query: KnowledgeQuery) {
      asked.push(query);
      const results = [5, 4, 3, 2, 1]
        .filter((id) => id < (query.before ?? 9))
        .slice(0, query.k)
        .map(chunk);
      return { results, mode: "keyword", degraded: false, indexing: false };
    },
    stats: async () => ({ domains: { general: 5 }, total: 5, pending: 0 }),
    add: async () => chunk(6),
    edit: async (id) => chunk(id),
    remove: async (id) => void asked.push(id),
    hide: async (id) => void asked.push(["hide", id]),
    restore: async (id) => chunk(id),
    promote: async (id) => void asked.push(["promote", id]),
    withdraw: async (id) => void asked.push(["withdraw", id]),
    removed: async (limit, before = 9) =>
      [3, 2, 1]
        .filter((id) => id < before)
        .slice(0, limit)
        .map(chunk),
    review: async (id) => chunk(id),
  };
  return { ask: askRoutes(knowledgeRoutes(service)), asked };
}

it("lists memories by pages, and finds without a page behind", async () => {
  const { ask } = knowledge();
  const first = await ask("GET", "/api/knowledge/search?k=2");
  expect(first.body).toMatchObject({ results: [{ id: 5 }, { id: 4 }], stats: { general: 5, total: 5 } });
  const cursor = (first.body as { next_cursor: string }).next_cursor;
  const last = await ask("GET", `/api/knowledge/search?k=4&cursor=${cursor}`);
  expect(last.body).toMatchObject({ results: [{ id: 3 }, { id: 2 }, { id: 1 }], next_cursor: null });
  expect((await ask("GET", "/api/knowledge/search?k=2&q=ferns")).body).toMatchObject({ next_cursor: null });
});

it("takes numbers of memories, and nothing else, for one", async () => {
  const { ask, asked } = knowledge();
  for (const wrong of ["0", "-1", "1e3", "x", "9".repeat(16)])
    expect((await ask("DELETE", `/api/knowledge/chunks/${wrong}`)).status).toBe(404);
  expect((await ask("DELETE", "/api/knowledge/chunks/7")).status).toBe(200);
  expect(asked).toEqual([7]);
});

it("removes for good or for a day, and lists by pages what can be restored", async () => {
  const { ask, asked } = knowledge();
  await ask("DELETE", "/api/knowledge/chunks/1?restorable=true");
  await ask("DELETE", "/api/knowledge/chunks/2");
  expect(asked).toEqual([["hide", 1], 2]);
  const first = (await ask("GET", "/api/knowledge/removed?limit=2")).body as { next_cursor: string };
  expect(first).toMatchObject({ chunks: [{ id: 3 }, { id: 2 }] });
  const last = (await ask("GET", `/api/knowledge/removed?limit=2&cursor=${first.next_cursor}`)).body;
  expect(last).toMatchObject({ chunks: [{ id: 1 }], next_cursor: null });
  expect((await ask("POST", "/api/knowledge/chunks/3/restore")).body).toMatchObject({ id: 3 });
});
