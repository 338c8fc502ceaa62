/** Streams, in both versions and both bindings. */
import { afterAll, describe, expect, it } from "vitest";
import { readBody, waitingTool } from "../../apps/server/src/testing/index.ts";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { type Frame, speakersTo, stateOf, textOf } from "./speaker.ts";

const waiting = waitingTool();
const running = await startTestService({ bounds: { keepAliveMs: 30 }, tools: [waiting.tool] });
afterAll(() => running.stop());

const callers = speakersTo(running.url);
const SCRIPT = '/think hm\n/call calculator {"expression":"6*7"}\n/then\n/stream 40\n/wait 20\n/stream 40';
const QUESTION = '/call ask_human {"question":"Which?"}';

/** A frame without its envelope and without the members of 0.3 alone, so that versions and bindings can be compared. */
function bare({ raw, kind, value }: Frame): unknown {
  const { artifact, append = false, lastChunk = false } = value;
  const what = kind === "artifactUpdate" ? [artifact.artifactId, textOf(artifact), append, lastChunk] : stateOf(value);
  return [raw.id, kind, value.taskId ?? value.id, what];
}

const isTerminal = ({ kind, value }: Frame) =>
  kind === "statusUpdate" && ["completed", "canceled", "failed"].includes(stateOf(value));

describe.each(callers)("a stream in $version over $binding", (caller) => {
  it("begins with the Task, reports its updates, and closes with its end [R10-3.1.2-1, R10-3.1.2-2, R10-3.1.2-4, R10-3.1.2-5, R10-3.5.2-1, R10-11.7-1, R03-3.3.3-1, DEV-working-first]", async () => {
    const frames = await caller.read("stream", caller.params({ text: SCRIPT }));
    const kinds = frames.map(({ kind }) => kind);
    expect([kinds[0], stateOf(frames[0]!.value)]).toEqual(["task", "working"]);
    expect(new Set(kinds.slice(1))).toEqual(new Set(["statusUpdate", "artifactUpdate"]));
    expect(frames.filter(isTerminal)).toEqual([frames.at(-1)]);
    const { id, contextId } = frames[0]!.value;
    for (const { value } of frames.slice(1)) expect([value.taskId, value.contextId]).toEqual([id, contextId]);
    const numbers = frames.map(({ raw }) => Number(raw.id));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const artifacts = frames.filter(({ kind }) => kind === "artifactUpdate");
    const deltas = artifacts.slice(0, -1);
    expect(deltas.map(({ value }) => value.append ?? false)).toEqual(deltas.map((_, i) => i > 0));
    const whole = artifacts.at(-1)!.value;
    expect([whole.append ?? false, whole.lastChunk]).toEqual([false, true]);
    expect(deltas.map(({ value }) => textOf(value.artifact)).join("")).toBe(textOf(whole.artifact));
    expect((await caller.ask("get", { id })).result.artifacts[0].parts).toEqual(whole.artifact.parts);
  });

  it("reports tools and deltas of the answer before the task is over [R10-3.1.2-6]", async () => {
    const text = '/say Now.\n/call calculator {"expression":"1"}\n/then\n/say Then.\n/wait 60000';
    const seen: Frame[] = [];
    for await (const frame of await caller.open("stream", caller.params({ text }))) {
      seen.push(frame);
      // The model would go on for a minute: what came so far came while it works.
      if (frame.kind === "artifactUpdate" && textOf(frame.value.artifact).includes("Then.")) {
        await caller.ask("cancel", { id: frame.value.taskId });
      }
    }
    const phases = seen.flatMap(({ value }) => value.metadata?.["urn:agent-service:a2a:ext:tool-call-v1"]?.phase ?? []);
    expect(phases).toEqual(["started", "completed"]);
    expect(stateOf(seen.at(-1)!.value)).toBe("canceled");
  });

  it("of a subscription begins with the Task as it is and closes with its end [R10-3.1.6-1, R10-3.1.6-2, R03-7.9-1]", async () => {
    const { result: working } = await caller.say({ text: "/say One.\n/wait 40\n/say Two.", wait: false });
    const frames = await caller.read("subscribe", { id: working.id });
    expect([frames[0]?.kind, frames[0]?.value.id]).toEqual(["task", working.id]);
    expect(frames.filter(isTerminal)).toEqual([frames.at(-1)]);
    const cursor = Number(frames[1]?.raw.id);
    const rest = await caller.read("subscribe", { id: working.id }, { "last-event-id": String(cursor) });
    expect([rest[0]?.kind, Number(rest[0]?.raw.id)]).toEqual(["task", cursor]);
    expect(rest.slice(1).map(bare)).toEqual(frames.filter(({ raw }) => Number(raw.id) > cursor).map(bare));
  });

  it("of a task that is over: an error in 1.0, but for a cursor before the end; 0.3 is shown the end [DEV-resubscribe-terminal, DEV-subscribe-cursor]", async () => {
    const live = await caller.read("stream", caller.params({ text: "/say over" }));
    const { id } = live[0]!.value;
    if (caller.version === "1.0") {
      const { error } = await caller.ask("subscribe", { id });
      expect(error?.code).toBe(-32004);
    } else {
      const end = await caller.read("subscribe", { id });
      expect(end.map(({ kind }) => kind)).toEqual(["task", "statusUpdate"]);
      expect(end[1]?.value).toEqual(live.at(-1)?.value);
    }
    const resumed = await caller.read("subscribe", { id }, { "last-event-id": String(live[0]?.raw.id) });
    expect(resumed.slice(1).map(bare)).toEqual(live.slice(1).map(bare));
  });

  it("closes where the task waits for a person, and the reply's stream continues from there [R10-3.1.2-5, DEV-pause-closes]", async () => {
    const asked = await caller.read("stream", caller.params({ text: QUESTION }));
    expect(stateOf(asked.at(-1)!.value)).toBe("input-required");
    const { id } = asked[0]!.value;
    const answered = await caller.read("stream", caller.params({ text: "This", message: { taskId: id } }));
    expect([answered[0]?.kind, answered[0]?.value.id, stateOf(answered.at(-1)!.value)]).toEqual([
      "task",
      id,
      "completed",
    ]);
  });

  it("subscribed to while its task waits for a person: 0.3 is shown the pause again and closes, 1.0 stays until the end [R10-3.1.6-1, DEV-resubscribe-parked]", async () => {
    const { result: parked } = await caller.say({ text: QUESTION });
    const frames: Frame[] = [];
    const stream = await caller.open("subscribe", { id: parked.id });
    const answer = () => caller.say({ text: "This", message: { taskId: parked.id } });
    for await (const frame of stream) {
      frames.push(frame);
      if (caller.version === "1.0" && frames.length === 1) await answer();
    }
    expect(frames[0]).toMatchObject({ kind: "task", value: { id: parked.id } });
    const states = frames.map((frame) => (frame.kind === "artifactUpdate" ? "answer" : stateOf(frame.value)));
    if (caller.version === "0.3") expect(states).toEqual(["input-required", "input-required"]);
    else expect([states[0], states[1], states.at(-1)]).toEqual(["input-required", "working", "completed"]);
    await caller.ask("cancel", { id: parked.id });
  });

  it("is server-sent events: one line of data, a number, no name, comments in between [R03-3.3.3-1, R03-7-1]", async () => {
    waiting.hold();
    const text = "/call waiting {}\n/then\n/say late";
    const response = await fetch(caller.request("stream", caller.params({ text })));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(response.headers.get("cache-control")).toContain("no-cache");
    const read = await readBody(response, /^:/m, waiting.release);
    expect(read).toMatch(/^(?:(?:id: \d+\ndata: \{.*\}\n|:.*\n)\n)+$/);
    expect(read).toMatch(/^:/m);
    for (const [, json = ""] of read.matchAll(/^data: (.*)$/gm)) {
      const envelope = JSON.parse(json);
      if (caller.binding === "JSON-RPC") expect(envelope).toMatchObject({ jsonrpc: "2.0", id: "call-1" });
      else expect(Object.keys(envelope)).toHaveLength(1);
    }
  });
});

describe("several streams of one task", () => {
  it("bring the same events in the same order in every version and binding, and closing one disturbs none [R10-3.5.2-2, R10-3.5.2-3, R10-3.5.2-4, R10-3.5.2-5]", async () => {
    const [first] = callers;
    const { result: task } = await first!.say({ text: "/wait 60\n/stream 200\n/wait 40\n/stream 50", wait: false });
    const cursor = { "last-event-id": "1" };
    const leaving = callers.map(async (caller) => {
      for await (const frame of await caller.open("subscribe", { id: task.id }, cursor)) return frame.kind;
      return undefined;
    });
    const staying = callers.flatMap((caller) => [1, 2].map(() => caller.read("subscribe", { id: task.id }, cursor)));
    expect(await Promise.all(leaving)).toEqual(callers.map(() => "task"));
    const [reference, ...others] = (await Promise.all(staying)).map((frames) => frames.slice(1).map(bare));
    expect(reference!.length).toBeGreaterThan(3);
    for (const events of others) expect(events).toEqual(reference);
    const later = await Promise.all(callers.map((caller) => caller.read("subscribe", { id: task.id }, cursor)));
    for (const frames of later) expect(frames.slice(1).map(bare)).toEqual(reference);
  });
});
