/** Memories over the operator API (K5, K8, K21), and what of them turns are shown. */
import { describe, expect, it } from "vitest";
import { PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";

const SEARCH = "/api/knowledge/search";
const CHUNKS = "/api/knowledge/chunks";

describe("memories", () => {
  it("are added, found, listed by pages, edited under their number, and deleted for good", async () => {
    await using service = await startGatedService();
    const coffee = { content: "Black.", subject: "coffee", domain: "Preferences" };
    const added = await service.ask("POST", CHUNKS, coffee);
    expect(added).toMatchObject({ status: 200, body: { id: 1, ids: [1], chunk: { trust: "operator", revision: 1 } } });
    for (let i = 0; i < 3; i++) await service.ask("POST", CHUNKS, { content: `Fern ${i}` });
    const first = (await service.ask("GET", `${SEARCH}?k=3`)).body;
    expect(first).toMatchObject({ stats: { preferences: 1, general: 3, total: 4 }, pending: 0, mode: "keyword" });
    const { knowledge, storage } = (await service.ask("GET", "/api/runtime/status")).body;
    expect(knowledge.resolved_path).toMatch(/knowledge|agent\.db/);
    expect(storage.knowledge_bytes).toBeGreaterThan(4_096);
    expect(knowledge).toMatchObject({ enabled: true, status: "ready", top_k: 5, chunks: 4, pending: 0 });
    const rest = (await service.ask("GET", `${SEARCH}?k=3&cursor=${first.next_cursor}`)).body;
    expect([...first.results, ...rest.results].map(({ id }: { id: number }) => id)).toEqual([4, 3, 2, 1]);
    expect(rest.next_cursor).toBeNull();
    const edited = await service.ask("PUT", `${CHUNKS}/1`, { content: "With oat milk." });
    expect(edited.body.chunk).toMatchObject({ id: 1, revision: 2, subject: "coffee", content: "With oat milk." });
    const found = async (q: string) =>
      (await service.ask("GET", `${SEARCH}?q=${q}`)).body.results.map(({ id }: { id: number }) => id);
    expect([await found("oat"), await found("black"), await found("coffee")]).toEqual([[1], [], [1]]);
    expect([await found("%231"), await found("%2399")]).toEqual([[1], []]);
    expect((await service.ask("DELETE", `${CHUNKS}/1`)).body).toEqual({ enabled: true, deleted: true });
    expect([await found("oat"), (await service.ask("DELETE", `${CHUNKS}/1`)).status]).toEqual([[], 404]);
    const changes = () => service.published.filter(({ topic }) => topic === "knowledge.changed");
    await expect.poll(() => changes().map(({ data }) => data)).toContainEqual({ id: 1, action: "changed" });
  });

  it("expire after the days that were said, and what is exported comes back as it went out (K5, K21)", async () => {
    await using service = await startGatedService();
    const coffee = { content: "Black.", domain: "drinks", expires_in_days: 2 };
    const before = Date.now();
    const { chunk } = (await service.ask("POST", CHUNKS, coffee)).body;
    const expiry = Date.parse(chunk.expires_at) - 2 * 86_400_000;
    expect(before <= expiry && expiry <= Date.now()).toBe(true);
    for (const days of [0, 1.5, 3_651]) {
      const { status } = await service.ask("POST", CHUNKS, { content: "Tea.", expires_in_days: days });
      expect([days, status]).toEqual([days, 422]);
    }
    const headers = { authorization: "Bearer the-operators" };
    const out = await fetch(`${service.running.url}/api/knowledge/export`, { headers });
    const type = out.headers.get("content-type") ?? "";
    const lines = await out.text();
    await using other = await startGatedService();
    const sent = { method: "POST", headers: { ...headers, "content-type": type }, body: lines };
    const imported = await fetch(`${other.running.url}/api/knowledge/import`, sent);
    expect([type, await imported.json()]).toMatchObject(["application/x-ndjson", { added: 1, known: 0, refused: [] }]);
    expect((await other.ask("GET", SEARCH)).body.results).toMatchObject([
      { content: "Black.", domain: "drinks", expires_at: chunk.expires_at },
    ]);
  });

  it("that are removed for a day come back where nothing took their place, also those that the agent forgot (K11)", async () => {
    await using service = await startGatedService();
    const found = async () =>
      (await service.ask("GET", `${SEARCH}?q=coffee`)).body.results.map(({ id }: { id: number }) => id);
    await service.say('/call memory_ingest {"content":"Oat milk.","subject":"coffee"}');
    expect((await service.ask("DELETE", `${CHUNKS}/1?restorable=true`)).body).toEqual({ enabled: true, deleted: true });
    expect(await found()).toEqual([]);
    expect((await service.ask("GET", "/api/knowledge/removed")).body.chunks).toMatchObject([{ id: 1 }]);
    const restore = (id: number) => service.ask("POST", `${CHUNKS}/${id}/restore`);
    expect((await restore(1)).body.chunk).toMatchObject({ id: 1, content: "Oat milk.", trust: "agent" });
    expect((await restore(1)).status).toBe(200);
    expect(await found()).toEqual([1]);
    await service.say('/call forget_memory {"chunk_id":1}');
    expect(await found()).toEqual([]);
    await service.ask("POST", CHUNKS, { content: "Black.", subject: "coffee" });
    const taken = await restore(1);
    expect([taken.status, taken.body.detail]).toEqual([409, "Memory 2 stands at the subject of 1 now."]);
    await service.ask("DELETE", `${CHUNKS}/2`);
    expect((await restore(2)).status).toBe(404);
    expect((await restore(1)).status).toBe(200);
    await service.ask("POST", "/api/memory/forget", { chunk_ids: [1] });
    expect((await restore(1)).status).toBe(404);
  });

  it("say in which turn they were written, since when they hold no more, and by which score they were found (K5)", async () => {
    await using service = await startGatedService();
    await service.say('/call memory_ingest {"content":"Oat milk in coffee.","subject":"coffee"}');
    await service.say('/call memory_ingest {"content":"Black coffee.","subject":"coffee"}');
    const { results } = (await service.ask("GET", `${SEARCH}?q=coffee&include_superseded=true`)).body;
    const [now, before] = results.toSorted((a: { id: number }, b: { id: number }) => b.id - a.id);
    expect(now).toMatchObject({ id: 2, injecting: true, invalidated_at: null, tier: "private" });
    expect(before).toMatchObject({ id: 1, injecting: false, invalidated_at: expect.stringMatching(/^\d{4}-/) });
    expect([now.task_id, before.task_id, now.score, before.score]).toEqual([
      ...[expect.any(String), expect.any(String), expect.any(Number), expect.any(Number)],
    ]);
    expect((await service.ask("GET", SEARCH)).body.results[0].score).toBeNull();
  });

  it("that wait are accepted, which replaces what stands, or rejected, which is remembered (K8)", async () => {
    await using service = await startGatedService();
    await service.ask("POST", CHUNKS, { content: "Ask before you send.", subject: "mail" });
    const remember = (content: string) =>
      service.say(`/call memory_ingest ${JSON.stringify({ content, subject: "mail" })}`);
    expect(await remember("Send at once.")).toContain("waits for review");
    const waiting = (await service.ask("GET", `${SEARCH}?review_state=pending`)).body;
    expect([waiting.pending, waiting.results.length]).toEqual([1, 1]);
    const { id } = waiting.results[0];
    const decide = (decision: string, one = id) => service.ask("POST", `${CHUNKS}/${one}/review`, { decision });
    expect((await decide("reject")).body.chunk.review_state).toBe("rejected");
    expect((await decide("reject")).status).toBe(200);
    expect((await decide("accept")).status).toBe(409);
    expect(await remember("Send at once.")).toContain("a person has rejected just this before");
    expect(await remember("Send on Mondays.")).toContain("waits for review");
    const next = (await service.ask("GET", `${SEARCH}?review_state=pending`)).body.results[0].id;
    expect((await decide("accept", next)).body.chunk).toMatchObject({ review_state: "accepted", trust: "operator" });
    const all = (await service.ask("GET", `${SEARCH}?q=send&include_superseded=true`)).body.results;
    expect(all).toContainEqual(expect.objectContaining({ id: 1, superseded_by: next }));
    await service.ask("POST", "/api/chat", { session_id: "s", message: "May I send the mail?" });
    const { turns } = (await service.ask("GET", "/api/chat/sessions/s/turns")).body;
    expect(turns[0].recalled).toEqual([{ chunk_id: next, revision: 1, kind: "hit" }]);
  });

  it("that are edited onto a subject, or while they wait, replace what stands there; always-on ones are published (K7, K9)", async () => {
    await using service = await startGatedService();
    for (const [content, subject] of [
      ["Black.", "coffee"],
      ["Oat milk.", "milk"],
    ])
      await service.ask("POST", CHUNKS, { content, subject });
    await service.ask("PUT", `${CHUNKS}/2`, { subject: "Coffee", delivery_policy: "always" });
    const standing = async () =>
      (await service.ask("GET", SEARCH)).body.results.map(({ id }: { id: number }) => id) as number[];
    expect(await standing()).toEqual([2]);
    const written = () => service.published.filter(({ topic }) => topic === "memory.hot_written");
    await expect.poll(written).toMatchObject([{ data: { chunk_id: 2, source_type: "edit" } }]);
    const { id } = (await service.ask("POST", CHUNKS, { content: "Be brief.", delivery_policy: "always" })).body;
    await expect.poll(() => written().at(-1)?.data).toMatchObject({ chunk_id: id, source_type: "operator" });
    await service.ask("DELETE", `${CHUNKS}/${id}`);
    await service.say('/call memory_ingest {"content":"With sugar.","subject":"coffee"}');
    await service.ask("PUT", `${CHUNKS}/4`, { content: "With honey." });
    expect(await standing()).toEqual([4]);
  });

  it.each([
    ["POST", CHUNKS, {}, 422],
    ["POST", CHUNKS, { content: " " }, 422],
    ["POST", CHUNKS, { content: "x".repeat(8_001) }, 422],
    ["POST", CHUNKS, { content: "x", memory_kind: "whim" }, 422],
    ["PUT", `${CHUNKS}/1`, { content: 7 }, 422],
    ["PUT", `${CHUNKS}/99`, { content: "x" }, 404],
    ["DELETE", `${CHUNKS}/0`, undefined, 404],
    ["DELETE", `${CHUNKS}/1e3`, undefined, 404],
    ["POST", `${CHUNKS}/99/review`, { decision: "accept" }, 404],
    ["POST", `${CHUNKS}/1/review`, { decision: "maybe" }, 422],
    ["GET", `${SEARCH}?cursor=none`, undefined, 422],
    ["GET", `${SEARCH}?review_state=lost`, undefined, 422],
  ] as const)("refuse %s %s with %j: %i", async (method, path, body, status) => {
    await using service = await startGatedService();
    expect((await service.ask(method, path, body)).status).toBe(status);
    expect((await service.ask(method, path, body, PEERS_TOKEN)).status).toBe(403);
  });

  it("are found by words, whatever stands between them", async () => {
    await using service = await startGatedService();
    await service.ask("POST", CHUNKS, { content: 'Quotes " and NEAR(stars*) are words.' });
    for (const q of ['"', "NEAR(", "stars*", "a:b", "'; DROP TABLE chunk", "%00", "-"])
      expect((await service.ask("GET", `${SEARCH}?q=${encodeURIComponent(q)}`)).status).toBe(200);
    expect((await service.ask("GET", `${SEARCH}?q=stars`)).body.results).toHaveLength(1);
  });
});
