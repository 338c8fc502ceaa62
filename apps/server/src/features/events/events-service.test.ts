import { createRedactor, EventLog, systemClock } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { eventsService } from "./events-service.ts";

it("keeps streams for the operator: a bounded number of others follows (S7)", async () => {
  const bus = new EventLog({ epoch: 1, clock: systemClock(), redactor: createRedactor() });
  const service = eventsService({ bus, maxPublicStreams: 2 });
  const first = service.follow(undefined, "anonymous");
  service.follow(undefined, "federation");
  expect(() => service.follow(undefined, "anonymous")).toThrow(expect.objectContaining({ status: 503, retryAfter: 5 }));
  const known = service.follow("1-0", "operator");
  await first.cancel();
  service.follow(undefined, "anonymous");
  const reader = known.getReader();
  const opening = await reader.read();
  expect(new TextDecoder().decode(opening.value)).toBe(": events\nretry: 2000\n\n");
  bus.close();
  expect((await reader.read()).done).toBe(true);
});
