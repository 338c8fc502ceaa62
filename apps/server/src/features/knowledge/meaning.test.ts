/** Search by meaning, through the service (K21, K25). */
import { embeddingDouble } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { startGatedService } from "../../testing/gated-service.ts";

const configFor = (baseUrl: string, key = "") => `
providers:
  - { id: chat, type: scripted }
  - { id: local, type: compat-gateway, base_url: ${baseUrl}, api_key: "${key}" }
model: { name: "scripted:demo" }
# A busy machine is no reason to go by words here.
knowledge: { embeddings: true, embed_model: "local:small", recall_timeout_ms: 60000 }
`;

it("finds a memory that has none of the words, over the connection that the setting names, and says how", async () => {
  await using double = await embeddingDouble();
  await using service = await startGatedService({ config: configFor(double.baseUrl, "sk-embedding-key-1") });
  const search = async (query: string) => (await service.ask("GET", `/api/knowledge/search?${query}`)).body;
  await service.ask("POST", "/api/knowledge/chunks", { content: "The automobile is in the garage." });
  await service.ask("POST", "/api/knowledge/chunks", { content: "Ferns like shade." });
  await expect.poll(async () => (await search("q=ferns")).indexing).toBe(false);
  expect(await search("q=vehicle+in+garage")).toMatchObject({ mode: "hybrid", degraded: false, results: [{ id: 1 }] });
  expect(await search("q=vehicle&mode=keyword")).toMatchObject({ mode: "keyword", results: [] });
  expect((await service.ask("GET", "/api/knowledge/search?q=x&mode=magic")).status).toBe(422);
  const turn = await service.ask("POST", "/api/chat", { session_id: "s", message: "Is the vehicle in a garage?" });
  const { events } = (await service.ask("GET", `/api/a2a/tasks/${turn.body.task_id}/journal`)).body;
  expect(events.find(({ kind }: { kind: string }) => kind === "recalled")).toMatchObject({
    ...{ mode: "hybrid", degraded: false },
    items: [{ chunk_id: 1, vector_rank: 1 }],
  });
  expect(new Set(double.models)).toEqual(new Set(["small"]));

  double.fault = (_, response) => response.writeHead(429).end();
  expect(await search("q=garage")).toMatchObject({ mode: "keyword", degraded: true, results: [{ id: 1 }] });
  expect(await service.say('/call memory_recall {"query":"garage"}')).toContain(
    "Search by meaning is not available now: these were found by their words.",
  );
});

it("sends nothing anywhere while it is off, or where the model is of no gateway", async () => {
  await using double = await embeddingDouble();
  for (const knowledge of ["{}", '{ embeddings: true, embed_model: "chat:small" }']) {
    const config = configFor(double.baseUrl).replace(/knowledge: .*/, `knowledge: ${knowledge}`);
    await using service = await startGatedService({ config });
    await service.ask("POST", "/api/knowledge/chunks", { content: "The automobile is in the garage." });
    const { body } = await service.ask("GET", "/api/knowledge/search?q=garage");
    expect(body).toMatchObject({ mode: "keyword", degraded: false, indexing: false, results: [{ id: 1 }] });
  }
  expect(double.asked).toEqual([]);
});
