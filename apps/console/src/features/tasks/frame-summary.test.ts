import fc from "fast-check";
import { expect, test } from "vitest";
import { frameSummary } from "./frame-summary.ts";

test("a frame is summarised by its kind and by what distinguishes it from the others", () => {
  const frame = (result: unknown) => frameSummary(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  expect(frame({ statusUpdate: { taskId: "t", status: { state: "TASK_STATE_WORKING" } } })).toEqual({
    ...{ kind: "statusUpdate", text: "TASK_STATE_WORKING" },
  });
  expect(frame({ artifactUpdate: { artifact: { parts: [{ text: "Hello " }, { text: "you" }] } } })).toEqual({
    ...{ kind: "artifactUpdate", text: "Hello you" },
  });
  const call = { status: { state: "TASK_STATE_WORKING" }, metadata: { "urn:tool-call": { name: "calc" } } };
  expect(frame({ statusUpdate: call }).text).toBe('TASK_STATE_WORKING · [{"name":"calc"}]');
  expect(frameSummary('{"error":{"code":-32001}}')).toEqual({ kind: "error", text: '{"code":-32001}' });
});

test("any data has a summary", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (data) => {
      const { kind, text } = frameSummary(data);
      expect(kind).not.toBe("");
      expect(typeof text).toBe("string");
    }),
  );
});
