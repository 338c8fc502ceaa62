import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, type StreamedEvent, textOf, textParams } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ bounds: { keepAliveMs: 30 } });
});
afterAll(() => running.stop());

const isEnd = (frame: Json): boolean => frame.final === true;
const LONG = '/think hm\n/call calculator {"expression":"6*7"}\n/then\n/stream 40\n/wait 30\n/stream 40';

/** The whole numbered stream of a task that ended, from its first event. */
async function replay(id: string, after = 0): Promise<readonly StreamedEvent[]> {
  return (await running.wire.stream("tasks/resubscribe", { id, metadata: { after } })).rest();
}

/** The answer's text, put together as a client does. */
function fold(events: readonly StreamedEvent[]): string {
  let text = "";
  for (const { frame } of events) {
    if (frame.kind === "task") text = textOf(frame);
    if (frame.kind === "artifact-update" && frame.artifact.artifactId === "answer")
      text = (frame.append ? text : "") + textOf(frame.artifact);
  }
  return text;
}

describe("message/stream (B18, A6)", () => {
  it("begins with the task and ends with one final frame; deltas, then the whole answer", async () => {
    const events = await (await running.wire.stream("message/stream", textParams(LONG))).rest();
    const frames = events.map(({ frame }) => frame);
    expect(frames.filter(isEnd)).toEqual([frames.at(-1)]);
    expect(frames[0]?.kind).toBe("task");
    const answers = frames.filter((frame) => frame.kind === "artifact-update");
    expect(answers.at(-1)).toMatchObject({ append: false, lastChunk: true });
    const deltas = answers.slice(0, -1);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ append }) => append)).toEqual(deltas.map((_, i) => i > 0));
    expect(deltas.some(({ lastChunk }) => lastChunk)).toBe(false);
    const whole = textOf(answers.at(-1)?.artifact);
    expect(deltas.map((frame) => textOf(frame.artifact)).join("")).toBe(whole);
    expect(whole.split(" ").length).toBe(81);
    for (const frame of frames) expect(frame.taskId ?? frame.id).toBe(frames[0]?.id);
  });

  it("resets text that turns out not to be the answer with an empty frame", async () => {
    const script = '/say Let me see.\n/call calculator {"expression":"1+1"}\n/then\n/say Two.';
    const events = await (await running.wire.stream("message/stream", textParams(script))).rest();
    const texts = events.flatMap(({ frame }) =>
      frame.kind === "artifact-update" ? [[frame.append, textOf(frame.artifact)]] : [],
    );
    // The first delta creates the artifact, after a reset too.
    const deltas = texts.slice(0, -1);
    expect(deltas.map(([append]) => append)).toEqual(
      deltas.map(([, text], i) => text !== "" && i > 0 && deltas[i - 1]?.[1] !== ""),
    );
    expect(deltas).toContainEqual([false, ""]);
    expect(fold(events)).toBe("Two.");
  });

  it("keeps a silent connection alive with comments", async () => {
    const stream = await running.wire.stream("message/stream", textParams("/wait 600000"));
    const first = await stream.next();
    const end = stream.rest();
    await expect.poll(() => stream.comments).toBeGreaterThanOrEqual(2);
    await running.wire.result("tasks/cancel", { id: first?.frame.id });
    await end;
    expect(stream.headers.get("x-accel-buffering")).toBe("no");
  });

  it("stops nothing when its reader leaves (A7) [R10-3.5.2-5]", async () => {
    const stream = await running.wire.stream("message/stream", textParams("/wait 80\n/say went on"));
    const first = await stream.next();
    await stream.close();
    const again = await running.wire.stream("tasks/resubscribe", { id: first?.frame.id });
    await again.until(isEnd);
    expect(textOf(await running.wire.result("tasks/get", { id: first?.frame.id }))).toBe("went on");
  });
});

describe("tasks/resubscribe (A20, A7)", () => {
  it("with cursor k: the task as of k, then exactly what came after, without gap or repeat", async () => {
    const live = await (await running.wire.stream("message/stream", textParams(LONG))).rest();
    const id = live[0]?.frame.id;
    for (const { id: cursor } of live.slice(0, -1)) {
      const rest = await replay(id, cursor);
      expect(rest[0]).toMatchObject({ id: cursor, frame: { kind: "task", id } });
      expect(rest.slice(1)).toEqual(live.filter((event) => event.id > cursor));
      expect(fold(rest)).toBe(fold(live));
    }
    const header = await running.wire.stream(
      "tasks/resubscribe",
      { id },
      { headers: { "last-event-id": String(live[1]?.id) } },
    );
    expect((await header.rest()).slice(1)).toEqual(live.slice(2));
  });

  it("without a cursor on an ended task: the task, its final frame, the end (A7)", async () => {
    const task = await running.wire.say("/say done");
    const events = await (await running.wire.stream("tasks/resubscribe", { id: task.id })).rest();
    expect(events.map(({ frame }) => frame)).toMatchObject([
      { kind: "task", status: { state: "completed" } },
      { kind: "status-update", final: true, status: { state: "completed" } },
    ]);
  });

  it("gives many subscribers who join anywhere the same events in the same order [R10-3.5.2-4]", async () => {
    const first = await running.wire.stream(
      "message/stream",
      textParams("/stream 200\n/wait 40\n/stream 200\n/wait 40\n/stream 50"),
    );
    const { frame } = (await first.next()) as StreamedEvent;
    const joined = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const stream = await running.wire.stream("tasks/resubscribe", { id: frame.id, metadata: { after: at % 5 } });
        return stream.rest();
      }),
    );
    const all = (await first.rest()).slice(1);
    for (const [at, events] of joined.entries()) {
      expect(events.slice(1)).toEqual(all.filter((event) => event.id > (events[0]?.id ?? 0)));
      expect(events[0]?.id).toBeLessThanOrEqual(Math.max(1, at % 5));
      expect(fold(events)).toBe(fold(all));
    }
  });

  it("refuses an unknown task and a cursor that is no number", async () => {
    expect(await running.wire.error("tasks/resubscribe", { id: "nope" })).toMatchObject({ code: -32001 });
    const { id } = await running.wire.say("/say x");
    expect(await running.wire.error("tasks/resubscribe", { id, metadata: { after: "x" } })).toMatchObject({
      code: -32602,
    });
    const headers = { "last-event-id": "abc" };
    expect(await running.wire.error("tasks/resubscribe", { id }, { headers })).toMatchObject({ code: -32602 });
  });
});

describe("readers that do not read or leave (A20, A7, S7)", () => {
  it("one that never reads holds up neither the task nor another reader", async () => {
    const lazy = connect(running.port, "127.0.0.1");
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "message/stream",
      params: textParams("/stream 60000", { contextId: "lazy" }),
    });
    const head = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    const began = new Promise<string>((resolve) => lazy.once("data", (data: Buffer) => resolve(data.toString())));
    lazy.write(`POST /a2a HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    let first = await began;
    // Headers may come ahead of the first event.
    while (!first.includes('"contextId":"lazy"'))
      first += await new Promise<string>((resolve) => lazy.once("data", (data: Buffer) => resolve(data.toString())));
    lazy.pause();
    const id = /"id":"([^"]+)","contextId":"lazy"/.exec(first)?.[1] ?? "";
    const other = await (await running.wire.stream("tasks/resubscribe", { id })).rest();
    expect(other.at(-1)?.frame.status.state).toBe("completed");
    expect(fold(other).split(" ").length).toBe(60_001);
    lazy.destroy();
  });

  it("many that leave at once free their streams and stop nothing", async () => {
    const params = textParams("/wait 60000", { contextId: "leaving" });
    const { id } = await running.wire.result("message/send", { ...params, configuration: { blocking: false } });
    const streams = await Promise.all(
      Array.from({ length: 50 }, () => running.wire.stream("tasks/resubscribe", { id })),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const open = async (): Promise<number> =>
      Number(/_open_streams (\d+)/.exec(await (await fetch(`${running.url}/metrics`)).text())?.[1]);
    expect(await open()).toBe(50);
    await Promise.all(streams.map((stream) => stream.close()));
    await expect.poll(open).toBe(0);
    expect((await running.wire.result("tasks/get", { id })).status.state).toBe("working");
    await running.wire.result("tasks/cancel", { id });
  });
});

describe("a message with the id of a task that does not wait (A9, 0.3)", () => {
  it("starts a new task: in the context of one that works or ended, in a new one for an unknown id", async () => {
    const working = await running.wire.result(
      "message/send",
      textParams("/wait 60000", {}, { configuration: { blocking: false } }),
    );
    const behind = running.wire.say("/say behind", { taskId: working.id });
    await running.wire.result("tasks/cancel", { id: working.id });
    const task = await behind;
    expect([task.id === working.id, task.contextId, textOf(task)]).toEqual([false, working.contextId, "behind"]);
    const unknown = await running.wire.say("/say fresh", { taskId: "no-such-task" });
    expect([unknown.status.state, unknown.id === "no-such-task"]).toEqual(["completed", false]);
  });
});

describe("tasks/cancel (A8)", () => {
  it("ends a running task at once, and its streams with it", async () => {
    const stream = await running.wire.stream("message/stream", textParams("/say so far\n/wait 60000"));
    const { frame } = (await stream.next()) as StreamedEvent;
    const canceled = await running.wire.result("tasks/cancel", { id: frame.id });
    expect(canceled).toMatchObject({ id: frame.id, status: { state: "canceled" } });
    expect((await stream.rest()).at(-1)?.frame).toMatchObject({ final: true, status: { state: "canceled" } });
  });

  it("cancels what waits its turn and what waits for a person", async () => {
    const running1 = await running.wire.result(
      "message/send",
      textParams("/wait 60000", {}, { configuration: { blocking: false } }),
    );
    const { contextId } = running1;
    const queued = await running.wire.result(
      "message/send",
      textParams("/say x", { contextId }, { configuration: { blocking: false } }),
    );
    expect(queued.status.state).toBe("working");
    expect((await running.wire.result("tasks/cancel", { id: queued.id })).status.state).toBe("canceled");
    await running.wire.result("tasks/cancel", { id: running1.id });
    const parked = await running.wire.say('/call ask_human {"question":"Well?"}', { contextId });
    expect(parked.status.state).toBe("input-required");
    expect((await running.wire.result("tasks/cancel", { id: parked.id })).status.state).toBe("canceled");
    const next = await running.wire.say("/say free again", { contextId });
    expect(next.status.state).toBe("completed");
  });

  it("returns a task that ended as it is; an unknown one is -32001 [DEV-cancel-terminal]", async () => {
    const done = await running.wire.say("/say x");
    expect(await running.wire.result("tasks/cancel", { id: done.id })).toEqual(done);
    expect(await running.wire.error("tasks/cancel", { id: "nope" })).toMatchObject({ code: -32001 });
  });
});
