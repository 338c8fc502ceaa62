/** The activity feed through HTTP: the turns that the agent started by itself (O5). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatedService, startGatedService } from "../../testing/gated-service.ts";

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService();
});
afterAll(() => service[Symbol.asyncDispose]());
const ask: GatedService["ask"] = (...request) => service.ask(...request);

it("shows the turns that an inbox started, why each ran, and its outcome", async () => {
  await ask("POST", "/api/inbox", { text: "No hurry", priority: "later" });
  const { body } = await ask("POST", "/api/inbox", { text: "/say on it", priority: "now", source: "ci" });
  expect(body).toMatchObject({ fired: true, item: { delivered_at: expect.any(String) } });
  const later = (await ask("GET", "/api/inbox?floor=later")).body.items[0];
  const delivered = (await ask("POST", `/api/inbox/${later.id}/deliver`)).body;
  expect(delivered).toMatchObject({ ok: true, delivered: 1 });
  expect((await ask("POST", `/api/inbox/${later.id}/deliver`)).body).toEqual({ ok: true, delivered: 0 });
  await service.running.service.core.service.runner.idle(5_000);
  const feed = (await ask("GET", "/api/activity")).body;
  expect(feed.context_id).toBe("system:activity");
  expect(feed.entries).toMatchObject([
    { id: delivered.task_id, origin: "inbox", trigger: `inbox:${later.id}`, priority: "later", state: "completed" },
    {
      task_id: body.task_id,
      trigger: `inbox:${body.item.id}`,
      priority: "now",
      text: expect.stringMatching(/on it$/),
    },
  ]);
  expect(feed.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(feed.messages[1].content).toBe(feed.entries[1].text);
  const older = (await ask("GET", "/api/activity?limit=1")).body;
  expect((await ask("GET", `/api/activity?cursor=${older.next_cursor}`)).body).toMatchObject({
    entries: [{ id: body.task_id }],
    next_cursor: null,
  });
  const messages = service.published.filter(
    ({ topic, data }) => topic === "activity.message" && data.id === body.task_id,
  );
  expect(messages.map(({ data }) => [data.role, data.state])).toEqual([
    ["user", "working"],
    ["assistant", "completed"],
  ]);
  expect(messages[0]?.shown).toEqual({ id: body.task_id, origin: "inbox", priority: "now", state: "working" });
  const added = service.published.filter(({ topic }) => topic === "inbox.added").at(-1);
  expect(added?.shown).toEqual({ id: body.item.id, origin: "inbox", priority: "now", state: "waiting" });
  expect(added?.data.text).toBe("/say on it");
});
