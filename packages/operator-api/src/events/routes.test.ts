import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type EventsService, eventsRoutes } from "./routes.ts";

function asked() {
  const calls: unknown[] = [];
  const service: EventsService = {
    follow(since, caller) {
      calls.push([since, caller]);
      return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
    },
    topicProblem: (topic) => (topic === "wrong" ? "It is wrong." : undefined),
    publish: (topic, data) => void calls.push([topic, data]),
  };
  return { service, calls, ask: askRoutes(eventsRoutes(service, { topics: [] })) };
}

it("resumes after Last-Event-ID, else after `since`, else from now", async () => {
  const { calls, ask } = asked();
  await ask("GET", "/api/events?since=1-2", undefined, { "last-event-id": "1-3" });
  await ask("GET", "/api/events?since=1-2", undefined, { "last-event-id": "" });
  const { headers } = await ask("GET", "/api/events");
  expect(calls).toEqual([
    ["1-3", "operator"],
    ["1-2", "operator"],
    [undefined, "operator"],
  ]);
  expect(headers.get("content-type")).toBe("text/event-stream");
});

it("publishes objects on topics, up to 64 KB of bytes", async () => {
  const { calls, ask } = asked();
  const publish = async (topic: string, data?: unknown) =>
    (await ask("POST", "/api/events/publish", { topic, data })).status;
  expect(await publish("a.b", { n: 1 })).toBe(200);
  expect(await publish("a.b")).toBe(200);
  expect(await publish("a.b", { text: "x".repeat(65_525) })).toBe(200);
  expect(await publish("a.b", { text: "é".repeat(32_763) })).toBe(413);
  for (const data of [null, [], 1, "text"]) expect(await publish("a.b", data)).toBe(422);
  expect(await publish("wrong", {})).toBe(400);
  expect(calls.length).toBe(3);
});

it("describes the topics of the API", () => {
  const topics = [{ topic: "note.changed", when: "A note changed", data: "`id`" }];
  const [follow] = eventsRoutes(asked().service, { topics });
  expect(follow?.definition.description).toContain("| `note.changed` | A note changed | `id` |");
});
