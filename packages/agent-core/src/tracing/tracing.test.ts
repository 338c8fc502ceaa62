import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommittedEvent, foldEvents, type TaskEvent } from "../event/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { manualClock } from "../testing/index.ts";
import { Tracing } from "./tracing.ts";

let status = 200;
const bodies: string[] = [];
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => {
    body += piece;
  });
  request.on("end", () => {
    bodies.push(body);
    response.writeHead(status).end();
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const totals = { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, durationMs: 5 };

function endOf(
  id: string,
  context: string,
): { readonly events: readonly CommittedEvent[]; readonly context: string; readonly id: string } {
  const accepted: TaskEvent = {
    kind: "task.accepted",
    context,
    class: "operator",
    origin: "a2a",
    input: { messageId: "m", parts: [] },
    state: "running",
  };
  const events: TaskEvent[] = [accepted, { kind: "task.completed", ...totals }];
  return { id, context, events: events.map((event, i) => ({ seq: i + 1, at: 1_000 + i, event })) };
}

test("what a collector cannot take now is sent later, the newest of it where there is too much (TC1)", async () => {
  const clock = manualClock();
  const warnings: string[] = [];
  const tracing = new Tracing({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    headers: {},
    agent: "ada",
    version: "1.2.3",
    redactor: createRedactor({ secrets: () => ["a-secret-of-the-operator"] }),
    clock,
    log: { warn: (text) => warnings.push(text) },
  });
  const take = (id: string, context = "c"): void => {
    const { events } = endOf(id, context);
    tracing.take(foldEvents(id, events), events);
  };
  status = 503;
  take("t0", "a-secret-of-the-operator");
  await tracing.flush();
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toContain("a-secret-of-the-operator");
  await tracing.flush();
  expect(bodies).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining("HTTP 503")]);
  for (let i = 1; i <= 4_000; i++) take(`t${i}`);
  status = 200;
  await clock.advance(15_000);
  await tracing.flush();
  const sent = bodies.slice(1).flatMap((body) => {
    const [resource] = (
      JSON.parse(body) as {
        resourceSpans: {
          scopeSpans: { spans: { attributes: { key: string; value: { stringValue: string } }[] }[] }[];
        }[];
      }
    ).resourceSpans;
    return resource!.scopeSpans[0]!.spans.map(
      ({ attributes }) => attributes.find(({ key }) => key === "agent.task.id")!.value.stringValue,
    );
  });
  expect(sent).toHaveLength(4_000);
  expect([sent[0], sent.at(-1)]).toEqual(["t1", "t4000"]);
});
