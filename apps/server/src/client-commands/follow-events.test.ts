import { expect, test } from "vitest";
import { followEvents } from "./follow-events.ts";

/** What one connection sends before it breaks. */
function broken(...frames: string[]): Response {
  const left = frames.map((frame) => new TextEncoder().encode(frame));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.error(new TypeError("terminated"));
      else controller.enqueue(next);
    },
  });
  return new Response(body);
}

test("a connection that breaks is picked up, before its first event too", async () => {
  const event = (id: string): string => `id: ${id}\ndata: {"topic":"build.finished","data":{}}\n\n`;
  const connections = [broken("id: 1-0\n\n"), broken("id: 1-4\n\n", event("1-5")), broken(event("1-6"))];
  const log: string[] = [];
  const controller = new AbortController();
  const events = followEvents(
    {
      async request(_, { headers }) {
        log.push(`from ${new Headers(headers).get("last-event-id")}`);
        const next = connections.shift();
        if (next === undefined) throw new TypeError("fetch failed");
        return next;
      },
      io: { pause: async () => {} } as never,
    },
    { signal: controller.signal, opened: async () => void log.push("opened") },
  );
  for await (const { id } of events) {
    log.push(id);
    if (id === "1-6") controller.abort();
  }
  expect(log).toEqual(["from null", "opened", "from null", "opened", "1-5", "from 1-5", "1-6"]);
});

test("one that never stood is nothing to pick up", async () => {
  const request = async (): Promise<never> => {
    throw new TypeError("fetch failed");
  };
  const events = followEvents({ request, io: {} as never }, { signal: new AbortController().signal });
  await expect(events.next()).rejects.toThrow("fetch failed");
});
