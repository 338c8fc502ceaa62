import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { EVENT_TOPICS, type EventsService, eventsRoutes, followEvents } from "./index.ts";

function asked() {
  const told: unknown[] = [];
  const service: EventsService = {
    follow(since, caller) {
      told.push([since, caller]);
      return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
    },
    topicProblem: (topic) => (topic === "wrong" ? "It is wrong." : undefined),
    publish: (topic, data) => void told.push([topic, data]),
  };
  return { told, ask: askRoutes(eventsRoutes(service)) };
}

it("resumes after Last-Event-ID, else after `since`, else from now", async () => {
  const { told, ask } = asked();
  await ask("GET", "/api/events?since=1-2", undefined, { "last-event-id": "1-3" });
  await ask("GET", "/api/events?since=1-2", undefined, { "last-event-id": "" });
  const { headers } = await ask("GET", "/api/events");
  expect(told).toEqual([
    ["1-3", "operator"],
    ["1-2", "operator"],
    [undefined, "operator"],
  ]);
  expect(headers.get("content-type")).toBe("text/event-stream");
});

it("publishes objects on topics, up to 64 KB of bytes", async () => {
  const { told, ask } = asked();
  const publish = async (topic: string, data?: unknown) =>
    (await ask("POST", "/api/events/publish", { topic, data })).status;
  expect(await publish("a.b", { n: 1 })).toBe(200);
  expect(await publish("a.b")).toBe(200);
  expect(await publish("a.b", { text: "x".repeat(65_525) })).toBe(200);
  expect(await publish("a.b", { text: "é".repeat(32_763) })).toBe(413);
  for (const data of [null, [], 1, "text"]) expect(await publish("a.b", data)).toBe(422);
  expect(await publish("wrong", {})).toBe(400);
  expect(told.length).toBe(3);
});

it("documents each topic once", () => {
  const topics = EVENT_TOPICS.map(({ topic }) => topic);
  expect(new Set(topics).size).toBe(topics.length);
  for (const topic of topics) expect(followEvents.description).toContain(`| \`${topic}\` |`);
});
