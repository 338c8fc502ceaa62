import type { EventBus } from "@agent-service/agent-core/host";
import { expect, test } from "vitest";
import { createLogging } from "../../logging/index.ts";
import { logNews } from "./log-events.ts";

function start() {
  const told: string[] = [];
  let next = Promise.withResolvers<void>();
  const bus: EventBus = {
    publish(topic) {
      told.push(topic);
      next.resolve();
      next = Promise.withResolvers<void>();
    },
  };
  const { logger, addSink } = createLogging({ level: "INFO", format: "json", redact: (text) => text, write: () => {} });
  return { logger, told, news: logNews({ addSink }, bus, 1), next: () => next.promise };
}

test("after a reading the next lines are told once, and again after the next reading", async () => {
  const { logger, told, news, next } = start();
  logger.info("nobody has read");
  news.read();
  expect(told).toEqual([]);
  let event = next();
  for (let line = 0; line < 100; line++) logger.info("something new");
  await event;
  logger.info("nobody has read since");
  news.read();
  news.read();
  event = next();
  logger.info("something new");
  await event;
  expect(told).toEqual(["log.written", "log.written"]);
});
