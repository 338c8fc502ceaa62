/** The inbox through HTTP and the agent's own tools (O4, O5). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService();
});
afterAll(() => service[Symbol.asyncDispose]());
const ask: GatedService["ask"] = (...request) => service.ask(...request);
const say: GatedService["say"] = (...message) => service.say(...message);

it("refuses blank texts and unknown priorities", async () => {
  for (const body of [{ text: " " }, { text: "x", priority: "soon" }])
    expect((await ask("POST", "/api/inbox", body)).status).toBe(400);
  expect((await ask("POST", "/api/inbox", { text: "x".repeat(16_001) })).status).toBe(422);
  expect((await ask("GET", "/api/inbox?floor=never")).status).toBe(422);
  for (const id of ["99", "x"]) expect((await ask("POST", `/api/inbox/${id}/deliver`)).status).toBe(404);
  expect((await ask("POST", "/api/inbox", { text: "x" }, PEERS_TOKEN)).status).toBe(403);
});

it("keeps an item until the agent looks, and hands it out once", async () => {
  const item = { text: "Read the report", source: "mail", dedup_key: "report" };
  const { body } = await ask("POST", "/api/inbox", item);
  expect(body).toMatchObject({ ok: true, fired: false, item: { ...item, priority: "next", delivered_at: null } });
  expect((await ask("POST", "/api/inbox", item)).body).toMatchObject({ deduped: true, item: { id: body.item.id } });
  await ask("POST", "/api/inbox", { text: "No hurry", priority: "later" });
  const list = async (query: string) =>
    (await ask("GET", `/api/inbox?${query}`)).body.items.map(({ text }: { text: string }) => text);
  expect(await list("")).toEqual(["No hurry", "Read the report"]);
  expect(await list("floor=next")).toEqual(["Read the report"]);
  expect(await say("/call check_inbox {}")).toContain("priority next, from mail]\\nRead the report");
  expect(await say("/call check_inbox {}")).toContain("The inbox is empty.");
  expect(await list("")).toEqual(["No hurry"]);
  expect(await list("include_delivered=true")).toEqual(["No hurry", "Read the report"]);
  expect(await say("/call check_inbox {}", PEERS_TOKEN)).toContain("there is no tool named");
});
