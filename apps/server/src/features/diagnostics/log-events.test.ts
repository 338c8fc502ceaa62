import type { EventBus } from "@agent-service/agent-core/host";
import { expect, test } from "vitest";
import { createLogging } from "../../logging/index.ts";
import { logNotifications } from "./log-events.ts";

function start() {
  const published: string[] = [];
  let next = Promise.withResolvers<void>();
  const bus: EventBus = {
    publish(topic) {
      published.push(topic);
      next.resolve();
      next = Promise.withResolvers<void>();
    },
  };
  const { logger, addSink } = createLogging({ level: "INFO", format: "json", redact: (text) => text, write: () => {} });
  return { logger, published, notifications: logNotifications({ addSink }, bus, 1), next: () => next.promise };
}

test("after a read the next lines are published once, and again after the next read", async () => {
  const { logger, published, notifications, next } = start();
  logger.info("no one has read");
  notifications.read();
  expect(published).toEqual([]);
  let event = next();
  for (let line = 0; line < 100; line++) logger.info("something new");
  await event;
  logger.info("no one has read since");
  notifications.read();
  notifications.read();
  event = next();
  logger.info("something new");
  await event;
  expect(published).toEqual(["log.written", "log.written"]);
});
