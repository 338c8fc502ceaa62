import { describe, expect, it } from "vitest";
import { A2AError, errorKinds, OverloadedError, TaskNotWaitingError } from "./index.ts";

describe("errors of the protocol", () => {
  it("have the numbers of A4, once each", () => {
    const codes = Object.fromEntries(Object.entries(errorKinds).map(([reason, { code }]) => [reason, code]));
    expect(codes).toEqual({
      PARSE_ERROR: -32700,
      INVALID_REQUEST: -32600,
      METHOD_NOT_FOUND: -32601,
      INVALID_PARAMS: -32602,
      INTERNAL_ERROR: -32603,
      TASK_NOT_FOUND: -32001,
      TASK_NOT_CANCELABLE: -32002,
      PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
      UNSUPPORTED_OPERATION: -32004,
      CONTENT_TYPE_NOT_SUPPORTED: -32005,
      INVALID_AGENT_RESPONSE: -32006,
      EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
      EXTENSION_SUPPORT_REQUIRED: -32008,
      VERSION_NOT_SUPPORTED: -32009,
    });
  });

  it("are known by number or by name, and keep undefined numbers", () => {
    expect(new A2AError(-32001)).toMatchObject({ reason: "TASK_NOT_FOUND", message: "Task not found" });
    expect(new A2AError("INTERNAL_ERROR").code).toBe(-32603);
    expect(new A2AError(-1)).toMatchObject({ code: -1, reason: undefined });
  });

  it("distinguish overload and tasks that do not wait from protocol errors", () => {
    expect(new OverloadedError(503, "full", 0.2)).toMatchObject({ code: "overloaded", retryAfterSeconds: 1 });
    expect(new TaskNotWaitingError("t")).toMatchObject({ code: "task-not-waiting", taskId: "t" });
  });
});
