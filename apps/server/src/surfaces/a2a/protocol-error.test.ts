import { DatabaseError, type DatabaseErrorCode, TaskError, type TaskErrorCode } from "@agent-service/agent-core/host";
import { describe, expect, it } from "vitest";
import { protocolError } from "./protocol-error.ts";

describe("the protocol's errors of what the engine refuses (A4, A9, S7)", () => {
  it.each<[TaskErrorCode, object]>([
    ["unknown_task", { code: -32001 }],
    ["not_waiting", { name: "TaskNotWaitingError" }],
    ["overloaded", { status: 429, retryAfterSeconds: 10 }],
    ["draining", { status: 503, retryAfterSeconds: 10 }],
    ["key_conflict", { code: -32602 }],
    ["unsupported_content", { code: -32005 }],
    ["prompt_gone", { code: -32002, message: "Task t1: why" }],
  ])("%s", (code, expected) => {
    expect(protocolError(new TaskError(code, "why", 10), "t1")).toMatchObject(expected);
  });

  it.each<DatabaseErrorCode>(["full", "overloaded", "unreachable", "closed", "lease_lost", "file_lost"])(
    "a store that is %s is a 503 that reveals nothing of the store",
    (code) => {
      const error = protocolError(new DatabaseError(code, "SQLITE: /home/ada/store.db"));
      expect(error).toMatchObject({ name: "OverloadedError", status: 503 });
      expect(String(error)).not.toContain("/home");
    },
  );

  it("anything else passes through, to be answered as -32603 and logged", () => {
    for (const error of [new Error("bug"), new DatabaseError("misuse", "bug"), undefined, "text"]) {
      expect(protocolError(error)).toBe(error);
    }
  });
});
