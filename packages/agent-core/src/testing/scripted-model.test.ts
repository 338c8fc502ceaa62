import { expect, test } from "vitest";
import type { ModelEvent, ModelRequest } from "../model/index.ts";
import { manualClock, scriptedModel } from "./index.ts";

const request: ModelRequest = { model: "m", messages: [], tools: [], settings: {} };

async function take(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test("a scripted model plays its turns in order and ends each with a finish", async () => {
  const model = scriptedModel(["Hello", [{ call: { name: "add", args: { a: 1 } } }]]);
  const { signal } = new AbortController();
  expect(await take(model.stream(request, { signal }))).toEqual([
    { kind: "text", text: "Hello" },
    { kind: "finish", reason: "stop" },
  ]);
  expect(await take(model.stream(request, { signal }))).toEqual([
    { kind: "tool-call", call: { id: "call_2_0", name: "add", args: '{"a":1}' } },
    { kind: "finish", reason: "tool-calls" },
  ]);
  await expect(take(model.stream(request, { signal }))).rejects.toThrow("no turn for call 3");
});

test("what a call was given stays as it was, and an abort ends a wait", async () => {
  const clock = manualClock();
  const model = scriptedModel([[{ wait: 60_000 }, { say: "late" }]], { clock });
  const messages: ModelRequest["messages"][number][] = [];
  const abort = new AbortController();
  const taking = take(model.stream({ ...request, messages }, { signal: abort.signal }));
  await model.untilCall(1);
  messages.push({ role: "assistant", text: "later" });
  await clock.untilPending();
  abort.abort(new Error("enough"));
  await expect(taking).rejects.toThrow("enough");
  expect(model.calls[0]?.request.messages).toEqual([]);
});
