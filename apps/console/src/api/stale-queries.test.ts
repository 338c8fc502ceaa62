import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { StaleQueries } from "./stale-queries.ts";

/** A client with a query, the number of its reads, and the scheduled functions, which the test runs. */
function watched(key: string) {
  const client = new QueryClient();
  let reads = 0;
  const runs = new Set<() => void>();
  const stale = new StaleQueries(client, (run) => {
    runs.add(run);
    return () => runs.delete(run);
  });
  const queryFn = async () => ++reads;
  new QueryObserver(client, { queryKey: [key, "list"], queryFn }).subscribe(() => {});
  return {
    client,
    stale,
    reads: () => reads,
    pass: async () => {
      for (const run of [...runs]) run();
      while (client.isFetching() > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("what several events make stale is read again once", async () => {
  const { stale, reads, pass } = watched("sessions");
  await pass();
  expect(reads()).toBe(1);
  for (const topic of ["turn.started", "session.changed", "turn.finished"])
    stale.receive({ topic, data: { ok: true } });
  expect(reads()).toBe(1);
  await pass();
  expect(reads()).toBe(2);
  stale.receive({ topic: "session.changed", data: {} });
  await pass();
  expect(reads()).toBe(3);
});

test("an event during the first read of a query is not lost with its answer", async () => {
  const { stale, reads, pass } = watched("sessions");
  expect(reads()).toBe(1);
  stale.receive({ topic: "session.changed", data: {} });
  await pass();
  await expect.poll(reads).toBe(2);
  await pass();
  expect(reads()).toBe(2);
});

test("a gap makes everything stale, progress nothing, and events are discarded at the end", async () => {
  const { stale, reads, pass } = watched("persona");
  await pass();
  stale.receive({ topic: "stream.gap", data: {} });
  await pass();
  expect(reads()).toBe(2);
  stale.receive({ topic: "turn.progress", data: {} });
  stale.receive({ topic: "turn.finished", data: { ok: true } });
  await pass();
  expect(reads()).toBe(2);
  stale.receive({ topic: "stream.gap", data: {} });
  stale.stop();
  await pass();
  expect(reads()).toBe(2);
});

test("the end of a turn makes the lists stale that show turns, and the status only where a key may be concerned", async () => {
  for (const key of ["tasks", "sessions", "approvals", "telemetry", "prompts", "delegations", "lanes"]) {
    const { stale, reads, pass } = watched(key);
    await pass();
    stale.receive({ topic: "turn.finished", data: { ok: true } });
    await pass();
    expect(reads(), key).toBe(2);
  }
  const { stale, reads, pass } = watched("runtime");
  await pass();
  stale.receive({ topic: "turn.finished", data: { ok: true } });
  await pass();
  expect(reads()).toBe(1);
  stale.receive({ topic: "turn.finished", data: { ok: false } });
  await pass();
  expect(reads()).toBe(2);
});

test("a successful turn reads the status again while it reports a refused key", async () => {
  const { client, stale, reads, pass } = watched("runtime");
  await pass();
  client.setQueryData(["runtime"], { graph_auth_error: "refused" });
  stale.receive({ topic: "turn.finished", data: { ok: true } });
  await pass();
  expect(reads()).toBe(2);
});
