import fc from "fast-check";
import { expect, test } from "vitest";
import { frameWords } from "./frame-words.ts";

test("a frame is told by its kind and by what tells it from the others", () => {
  const frame = (result: unknown) => frameWords(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  expect(frame({ statusUpdate: { taskId: "t", status: { state: "TASK_STATE_WORKING" } } })).toEqual({
    ...{ kind: "statusUpdate", says: "TASK_STATE_WORKING" },
  });
  expect(frame({ artifactUpdate: { artifact: { parts: [{ text: "Hello " }, { text: "you" }] } } })).toEqual({
    ...{ kind: "artifactUpdate", says: "Hello you" },
  });
  const call = { status: { state: "TASK_STATE_WORKING" }, metadata: { "urn:tool-call": { name: "calc" } } };
  expect(frame({ statusUpdate: call }).says).toBe('TASK_STATE_WORKING · [{"name":"calc"}]');
  expect(frameWords('{"error":{"code":-32001}}')).toEqual({ kind: "error", says: '{"code":-32001}' });
});

test("anything can be told", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (data) => {
      const { kind, says } = frameWords(data);
      expect(kind).not.toBe("");
      expect(typeof says).toBe("string");
    }),
  );
});
