import { describe, expect, it } from "vitest";
import { createSseParser } from "../../stream/index.ts";
import { type AgentExecutor, createA2AHandler, inMemoryExecutor, type TaskReading } from "../index.ts";
import { type UnreadReading, UnreadReadings } from "./unread-readings.ts";

const MIB = 1024 * 1024;

describe("readings that streams keep while no one reads from them (EN10)", () => {
  function collection(bytes: number) {
    const readings = new UnreadReadings(bytes);
    const closed: UnreadReading[] = [];
    const add = (task: string, callerClass: string, weight: number): UnreadReading => {
      const reading = { task, class: callerClass, bytes: weight };
      readings.add(reading, () => closed.push(reading));
      return reading;
    };
    return { readings, closed, add };
  }

  it("are closed beyond the bound of their class, those of the task that was read from longest ago first", () => {
    const { readings, closed, add } = collection(100);
    const [first, second] = [add("a", "federation", 40), add("b", "federation", 40)];
    const others = add("z", "operator", 90);
    readings.remove(first);
    readings.add(first, () => closed.push(first));
    add("c", "federation", 40);
    expect(closed).toEqual([second]);
    expect([readings.bytesOf("federation"), readings.bytesOf("operator")]).toEqual([80, others.bytes]);
  });

  it("of one task weigh as much as one, and are closed together", () => {
    const { readings, closed, add } = collection(100);
    const shared = [add("a", "federation", 60), add("a", "federation", 60), add("a", "federation", 60)];
    expect([readings.bytesOf("federation"), closed]).toEqual([60, []]);
    add("b", "federation", 60);
    expect(closed).toEqual(shared);
    expect(readings.bytesOf("federation")).toBe(60);
  });

  it("weigh nothing once they are taken from again or over, also where they were closed before", () => {
    const { readings, add } = collection(100);
    const kept = [add("a", "operator", 60), add("b", "operator", 60), add("c", "operator", 500)];
    expect(readings.bytesOf("operator")).toBe(500);
    for (const reading of kept) readings.remove(reading);
    expect(readings.bytesOf("operator")).toBe(0);
  });
});

/** An executor whose tasks weigh so much, and how many of them streams read now. */
function heavy(executor: AgentExecutor, bytes: number) {
  const open = new Set<object>();
  function weighed(reading: TaskReading): TaskReading {
    const { now } = reading;
    return {
      ...{ now, bytes, at: (seq) => reading.at(seq), settled: (signal) => reading.settled(signal) },
      async *follow(after, signal, options) {
        const stream = {};
        open.add(stream);
        try {
          yield* reading.follow(after, signal, options);
        } finally {
          open.delete(stream);
        }
      },
    };
  }
  const read: AgentExecutor["read"] = async (id, call) => {
    const reading = await executor.read(id, call);
    return reading && weighed(reading);
  };
  return { executor: { ...executor, read }, open };
}

describe("unread streams of many ended tasks", () => {
  it("keep few of the tasks in memory, and are whole when they are read after all", async ({ task }) => {
    const answers = inMemoryExecutor(async function* () {
      for (let piece = 0; piece < 6; piece++) yield { text: `${piece} `.repeat(3_000) };
    });
    const { executor, open } = heavy(answers, 12 * MIB);
    const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor });
    const ask = (method: string, params: object, headers: Record<string, string> = {}) =>
      handler(
        new Request("http://127.0.0.1/a2a", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        }),
      );
    const message = { role: "user", parts: [{ text: "go" }] };
    const streams = [];
    for (let i = 0; i < 12; i++) {
      const sent = (await (await ask("message/send", { message })).json()) as { result: { id: string } };
      const { id } = sent.result;
      const whole = await (await ask("tasks/resubscribe", { id }, { "last-event-id": "1" })).text();
      const { body } = await ask("tasks/resubscribe", { id }, { "last-event-id": "1" });
      const reader = body!.getReader();
      const decoder = new TextDecoder();
      let text = decoder.decode((await reader.read()).value, { stream: true });
      const rest = async (): Promise<string> => {
        for (let next = await reader.read(); !next.done; next = await reader.read())
          text += decoder.decode(next.value, { stream: true });
        return text;
      };
      streams.push({ whole, rest });
    }
    // 32 MiB hold two tasks of 12, and one more is being added.
    const what = "tasks of 12 MiB that unread streams keep, with the one that is added";
    task.meta.bounds = [{ what, found: open.size * 12, most: 32 + 12, unit: "MiB" }];
    expect(open.size).toBeLessThanOrEqual(3);
    expect(open.size).toBeGreaterThan(0);
    for (const { whole, rest } of streams) {
      const events = (text: string) => createSseParser().push(new TextEncoder().encode(text));
      expect(events(await rest())).toEqual(events(whole));
    }
    expect(open.size).toBe(0);
  });
});
