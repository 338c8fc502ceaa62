/** What turns were shown of memory, and what a message would be (K20). */
import { expect, it } from "vitest";
import { startGatedService } from "../../testing/gated-service.ts";

it("lists what was recalled before model calls, why and what not, newest first, by pages and session", async () => {
  await using service = await startGatedService();
  await service.say('/call memory_ingest {"content":"Be brief.","domain":"hot"}');
  await service.say('/call memory_ingest {"content":"Oat milk.","subject":"coffee"}');
  const chat = (session_id: string, message: string) => service.ask("POST", "/api/chat", { session_id, message });
  await chat("a", "Which coffee?");
  await chat("b", "Good morning");
  await chat("a", "Which coffee was it?");
  const { body } = await service.ask("GET", "/api/memory/injections?session_id=a");
  const [again, first] = body.injections;
  expect(body.injections).toHaveLength(2);
  expect(first).toMatchObject({
    ...{ session_id: "a", step: 1, hot_chunk_ids: [1], rag_chunk_ids: [2], mode: "keyword", degraded: false },
    items: [
      { chunk_id: 1, kind: "always", score: null, words: null },
      {
        chunk_id: 2,
        revision: 1,
        kind: "hit",
        trust: expect.any(String),
        keyword_rank: 1,
        vector_rank: null,
        words: 1,
      },
    ],
  });
  expect(first.approx_tokens).toBeGreaterThan(10);
  expect(again).toMatchObject({
    hot_chunk_ids: [],
    left_out: expect.arrayContaining([{ chunk_id: 2, reason: "in_sight" }]),
  });
  const one = await service.ask("GET", "/api/memory/injections?limit=1");
  const two = await service.ask("GET", `/api/memory/injections?limit=500&cursor=${one.body.next_cursor}`);
  const sessions = [...one.body.injections, ...two.body.injections].map((row) => row.session_id);
  expect(sessions.filter((id: string) => ["a", "b"].includes(id))).toEqual(["a", "b", "a"]);
});

it("previews what a message would be shown, in a new conversation or one that there is, and stores nothing", async () => {
  await using service = await startGatedService();
  await service.say('/call memory_ingest {"content":"Oat milk.","subject":"coffee"}');
  const preview = async (body: object) => (await service.ask("POST", "/api/memory/preview", body)).body.preview;
  expect(await preview({ message: "Which coffee?" })).toMatchObject({
    rag_chunk_ids: [1],
    text: expect.stringContaining("Oat milk."),
  });
  await service.ask("POST", "/api/chat", { session_id: "s", message: "Which coffee?" });
  expect(await preview({ message: "Which coffee?", session_id: "s" })).toMatchObject({
    rag_chunk_ids: [],
    left_out: [{ chunk_id: 1, reason: "in_sight" }],
  });
  const { body } = await service.ask("GET", "/api/memory/injections");
  expect(body.injections).toHaveLength(1);
  expect((await service.ask("POST", "/api/memory/preview", { message: " " })).status).toBe(422);
});

it("says which turns saw a memory, how, and what they did then", async () => {
  await using service = await startGatedService();
  await service.say('/call memory_ingest {"content":"Oat milk.","subject":"coffee"}');
  const chat = (session_id: string, message: string) => service.ask("POST", "/api/chat", { session_id, message });
  await chat("a", "Which coffee?");
  await chat("a", "Good morning");
  await chat("a", '/call memory_ingest {"content":"Herons nest by the pond.","subject":"herons"}');
  await chat("b", '/call memory_recall {"query":"milk"}');
  // As where the call begins, and the commit that brings it and what was recalled before it comes a moment later.
  const sql = "UPDATE call SET started_at = started_at - 10 WHERE name = 'memory_ingest'";
  await service.running.service.core.db.commit({ label: "test", statements: [{ sql, args: [] }] });
  const uses = async (id: number, more = "") => service.ask("GET", `/api/knowledge/chunks/${id}/uses${more}`);
  const expected = [
    { session_id: "b", how: "read", revision: null, effects: [] },
    { session_id: "a", how: "in_sight", revision: 1, effects: ["memory_ingest"] },
    { session_id: "a", how: "in_sight", revision: 1, effects: [] },
    { session_id: "a", how: "shown", revision: 1, effects: [] },
  ];
  expect((await uses(1)).body.uses).toMatchObject(expected);
  const paged: unknown[] = [];
  for (let cursor = ""; ; ) {
    const page = (await uses(1, `?limit=1${cursor}`)).body;
    paged.push(...page.uses);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(paged).toMatchObject(expected);
  expect((await uses(2)).body.uses).toEqual([]);
  expect((await uses(99)).status).toBe(404);
  // Ids stay when a memory is forgotten, and no word of it (K12).
  await service.ask("POST", "/api/memory/forget", { chunk_ids: [1] });
  const later = await uses(1);
  expect(later.body.uses).toHaveLength(expected.length);
  expect(JSON.stringify(later.body)).not.toMatch(/oat|milk|coffee/i);
});
