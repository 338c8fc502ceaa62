import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2AError, invalidParams, taskNotFound } from "../error/index.ts";
import type { Task } from "../task/index.ts";
import {
  createTaskWriter,
  errorDetails,
  frameFromWire,
  readCancelParams,
  readGetParams,
  readSendParams,
  readSubscribeParams,
} from "./index.ts";

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };

/** The reason a reading is refused. */
function refusal(read: (params: unknown) => unknown, params: unknown): unknown {
  try {
    read(params);
  } catch (error) {
    if (error instanceof A2AError) return [error.code, error.message];
    throw error;
  }
  return undefined;
}

describe("params of 1.0", () => {
  it("are read as they are, without what is unknown (A19)", () => {
    const parts = [
      { text: "t", mediaType: "text/plain" },
      { raw: "AA==", filename: "a.bin" },
      { url: "https://example.com/a" },
      { data: null },
      { data: [1], metadata: { of: "caller" } },
    ];
    const whole = { ...message, parts, contextId: "c", taskId: "t", extensions: ["u"], referenceTaskIds: ["r"] };
    const configuration = { acceptedOutputModes: ["text/plain"], historyLength: 2, returnImmediately: true };
    const request = { message: whole, configuration, metadata: { skill: "s" } };
    expect(readSendParams({ ...request, tenant: "x", more: 1 })).toEqual(request);
    expect(readGetParams({ id: "t", historyLength: 0 })).toEqual({ id: "t", historyLength: 0 });
    expect(readCancelParams({ id: "t", metadata: { a: 1 } })).toEqual({ id: "t", metadata: { a: 1 } });
    expect(readSubscribeParams({ id: "t", metadata: { after: 7 } })).toEqual({ id: "t", after: 7 });
  });

  it("are read in snake_case too, but for names inside free-form data (A19)", () => {
    const snake = {
      message: {
        message_id: "m",
        role: "ROLE_USER",
        parts: [{ data: { user_id: 1 }, media_type: "application/json", metadata: { a_b: 1 } }],
        context_id: "c",
        task_id: "t",
        reference_task_ids: ["r"],
        metadata: { message_id: "of the caller" },
      },
      configuration: { accepted_output_modes: ["a/b"], history_length: 1, return_immediately: true },
    };
    expect(readSendParams(snake)).toEqual({
      message: {
        messageId: "m",
        role: "ROLE_USER",
        parts: [{ data: { user_id: 1 }, mediaType: "application/json", metadata: { a_b: 1 } }],
        contextId: "c",
        taskId: "t",
        referenceTaskIds: ["r"],
        metadata: { message_id: "of the caller" },
      },
      configuration: { acceptedOutputModes: ["a/b"], historyLength: 1, returnImmediately: true },
    });
    expect(readGetParams({ id: "t", history_length: 3 })).toEqual({ id: "t", historyLength: 3 });
    expect(readGetParams({ id: "t", history_length: 3, historyLength: 4 })).toEqual({ id: "t", historyLength: 4 });
  });

  it("are refused by the field that does not fit (A4, A19)", () => {
    const { messageId: _, ...anonymous } = message;
    const cases: [unknown, string][] = [
      [undefined, "params"],
      [{}, "params.message"],
      [{ message: anonymous }, "params.message.messageId"],
      [{ message: { ...message, messageId: "" } }, "params.message.messageId"],
      [{ message: { ...message, role: "user" } }, "params.message.role"],
      [{ message: { ...message, parts: [] } }, "params.message.parts"],
      [{ message: { ...message, parts: [{ kind: "text" }] } }, "params.message.parts.0"],
      [{ message: { ...message, parts: [{ text: "a", url: "b" }] } }, "params.message.parts.0"],
      [{ message: { ...message, contextId: "a\nb" } }, "params.message.contextId"],
      [{ message, configuration: { historyLength: -1 } }, "params.configuration.historyLength"],
      [{ message, metadata: [] }, "params.metadata"],
    ];
    for (const [params, field] of cases) {
      expect(refusal(readSendParams, params), field).toEqual([-32602, expect.stringMatching(`^${field}: `)]);
    }
    expect(refusal(readSubscribeParams, { id: "t", metadata: { after: -1 } })).toEqual([-32602, expect.any(String)]);
    const push = { taskPushNotificationConfig: { url: "example.com" } };
    expect(refusal(readSendParams, { message, configuration: push })).toEqual([-32602, expect.any(String)]);
  });

  it("of any value at all are read or refused, never worse", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ message: fc.anything(), metadata: fc.anything() })), (params) => {
        for (const read of [readSendParams, readGetParams, readCancelParams, readSubscribeParams]) {
          const code = refusal(read, params) as [number] | undefined;
          expect([undefined, -32602, -32003]).toContain(code?.[0]);
        }
      }),
    );
  });
});

describe("results of 1.0", () => {
  const userMessage = (messageId: string) => ({ messageId, role: "ROLE_USER" as const, parts: [{ text: messageId }] });
  const task: Task = {
    id: "t",
    contextId: "c",
    status: { state: "TASK_STATE_WORKING" },
    history: [userMessage("a"), userMessage("b")],
  };

  it("are the model itself, wrapped under one key where the result may be several things", () => {
    const writer = createTaskWriter();
    expect(JSON.parse(writer.task(task))).toEqual(task);
    expect(JSON.parse(writer.wrapped(task))).toEqual({ task });
    expect(JSON.parse(writer.frame({ task }))).toEqual({ task });
    const frame = { statusUpdate: { taskId: "t", contextId: "c", status: task.status } };
    expect(JSON.parse(writer.frame(frame))).toEqual(frame);
  });

  it("hold at most the newest messages asked for, and no history at all for 0 [R10-3.2.4-1]", () => {
    const writer = createTaskWriter();
    const { history: _, ...bare } = task;
    expect(JSON.parse(writer.task(task, 0))).toEqual(bare);
    expect(JSON.parse(writer.wrapped(task, 1))).toEqual({ task: { ...task, history: [userMessage("b")] } });
    expect(JSON.parse(writer.task(task, 9))).toEqual(task);
    expect(JSON.parse(writer.task(bare, 1))).toEqual(bare);
  });
});

describe("errors of 1.0 (A4)", () => {
  it("carry an ErrorInfo with the reason, the domain and what is known as strings", () => {
    const type = "type.googleapis.com/google.rpc.ErrorInfo";
    expect(errorDetails(taskNotFound("t"))).toEqual([
      { "@type": type, reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
    ]);
    expect(errorDetails(new A2AError("INTERNAL_ERROR", undefined, { data: { errorId: "e", n: 1 } }))).toEqual([
      { "@type": type, reason: "INTERNAL_ERROR", domain: "a2a-protocol.org", metadata: { errorId: "e", n: "1" } },
    ]);
  });

  it("name the field of params that do not fit", () => {
    const [, bad] = errorDetails(invalidParams("params.message.role: must be said"));
    expect(bad).toEqual({
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "params.message.role", description: "must be said" }],
    });
  });
});

describe("answers of other agents in 1.0", () => {
  const status = { state: "TASK_STATE_WORKING", timestamp: "2026-01-31T09:00:00Z" };
  const part = { text: "a", mediaType: "text/plain", metadata: { m: 1 } };

  it("are taken into the model, unknown fields dropped and missing ones tolerated", () => {
    const agentMessage = { messageId: "m", role: "ROLE_AGENT", parts: [part] };
    const artifact = { artifactId: "a", parts: [part, { raw: "AA==" }, { url: "u", filename: "f" }, { data: null }] };
    const ids = { taskId: "t", contextId: "c" };
    const frames = [
      {
        task: {
          id: "t",
          contextId: "c",
          status: { ...status, message: agentMessage },
          artifacts: [artifact],
          history: [agentMessage],
        },
      },
      { message: agentMessage },
      { statusUpdate: { ...ids, status, metadata: { x: 1 } } },
      { artifactUpdate: { ...ids, artifact, append: true, lastChunk: true } },
    ];
    for (const frame of frames) expect(frameFromWire({ ...frame, more: 1 })).toEqual(frame);
    expect(frameFromWire({ id: "t", status })).toEqual({ task: { id: "t", contextId: "", status } });
    expect(frameFromWire({ task: { id: "t", status: { state: "NEW" } } })).toMatchObject({
      task: { status: { state: "TASK_STATE_UNSPECIFIED" } },
    });
  });

  it("that later code could not rely on are refused (-32006)", () => {
    const wrong = [
      null,
      [],
      {},
      { task: {} },
      { task: { id: "t" } },
      { statusUpdate: { status } },
      { artifactUpdate: 1 },
    ];
    const parts = [{ message: { parts: {} } }, { message: { parts: [{}] } }, { message: { parts: [1] } }];
    for (const answer of [...wrong, ...parts]) {
      expect(refusal(frameFromWire, answer), JSON.stringify(answer)).toEqual([-32006, expect.any(String)]);
    }
  });

  it("of any value at all are taken or refused", () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        expect([undefined, -32006]).toContain((refusal(frameFromWire, answer) as [number] | undefined)?.[0]);
      }),
    );
  });
});
