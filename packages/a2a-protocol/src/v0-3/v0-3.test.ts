import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webUrl } from "../../../../test/values/text.ts";
import type { Message, Part } from "../message/index.ts";
import type { Artifact, Task, TaskState } from "../task/index.ts";
import {
  COST_EXTENSION,
  createFrameWriter,
  frameFromWire,
  frameToWire,
  messageToWire,
  partToWire,
  readCancelParams,
  readGetParams,
  readResubscribeParams,
  readSendParams,
  taskFromWire,
  taskToWire,
} from "./index.ts";

const message = { role: "user", parts: [{ text: "hi" }] };
const problem = (read: (params: unknown) => unknown, params: unknown): [number, string] => {
  try {
    read(params);
  } catch (error) {
    const { code, message: text } = error as { code: number; message: string };
    return [code, text];
  }
  throw new Error("was accepted");
};

describe("params of message/send and message/stream", () => {
  it("take the short form and give the message an id (A19)", () => {
    const { message: read } = readSendParams({ message });
    expect(read).toEqual({
      messageId: expect.stringMatching(/^[\da-f-]{36}$/),
      role: "ROLE_USER",
      parts: [{ text: "hi" }],
    });
  });

  it("demand an id of a message that names its kind (A19)", () => {
    expect(problem(readSendParams, { message: { kind: "message", ...message } })).toEqual([
      -32602,
      expect.stringContaining("params.message.messageId"),
    ]);
    expect(readSendParams({ message: { kind: "message", messageId: "m", ...message } }).message.messageId).toBe("m");
  });

  it("translate every kind of part", () => {
    const parts = [
      { kind: "text", text: "a", metadata: { x: 1 } },
      { kind: "file", file: { bytes: "aGk=", name: "a.txt", mimeType: "text/plain" } },
      { kind: "file", file: { uri: "https://x/y" } },
      { kind: "data", data: { a: 1 }, mimeType: "application/x+json" },
      { kind: "data", data: { b: 2 }, metadata: { mimeType: "application/y" } },
    ];
    expect(readSendParams({ message: { ...message, parts } }).message.parts).toEqual([
      { text: "a", metadata: { x: 1 } },
      { raw: "aGk=", filename: "a.txt", mediaType: "text/plain" },
      { url: "https://x/y" },
      { data: { a: 1 }, mediaType: "application/x+json" },
      { data: { b: 2 }, mediaType: "application/y", metadata: { mimeType: "application/y" } },
    ]);
  });

  it("read the configuration and ignore fields they do not know, and nulls", () => {
    const params = {
      message: { ...message, taskId: null, contextId: "", surprise: 1, extensions: null },
      configuration: {
        blocking: false,
        historyLength: 0,
        acceptedOutputModes: ["text/plain"],
        pushNotificationConfig: null,
        x: 1,
      },
      metadata: { skill: "s" },
      more: true,
    };
    expect(readSendParams(params)).toEqual({
      message: { messageId: expect.any(String), role: "ROLE_USER", parts: [{ text: "hi" }] },
      configuration: { acceptedOutputModes: ["text/plain"], historyLength: 0, returnImmediately: true },
      metadata: { skill: "s" },
    });
  });

  it.each([
    ["no params", undefined, "params"],
    ["params that are a list", [], "params.message"],
    ["no message", {}, "params.message"],
    ["no role", { message: { parts: [{ text: "x" }] } }, "params.message.role"],
    ["another role", { message: { ...message, role: "agent" } }, "params.message.role"],
    ["no parts", { message: { role: "user" } }, "params.message.parts"],
    ["empty parts", { message: { role: "user", parts: [] } }, "params.message.parts"],
    ["parts that are no list", { message: { role: "user", parts: "x" } }, "params.message.parts"],
    ["a part that is no object", { message: { role: "user", parts: ["x"] } }, "params.message.parts.0"],
    [
      "an unknown part kind",
      { message: { role: "user", parts: [{ kind: "video", text: "x" }] } },
      "params.message.parts.0.kind",
    ],
    [
      "a text part without text",
      { message: { role: "user", parts: [{ kind: "text" }] } },
      "params.message.parts.0.text",
    ],
    [
      "data that is no object",
      { message: { role: "user", parts: [{ kind: "data", data: [] }] } },
      "params.message.parts.0.data",
    ],
    [
      "a file with neither bytes nor uri",
      { message: { role: "user", parts: [{ kind: "file", file: {} }] } },
      "params.message.parts.0.file",
    ],
    [
      "a file with both",
      { message: { role: "user", parts: [{ kind: "file", file: { bytes: "", uri: "" } }] } },
      "params.message.parts.0.file",
    ],
    ["a taskId that is a number", { message: { ...message, taskId: 3 } }, "params.message.taskId"],
    ["metadata that is a list", { message, metadata: [] }, "params.metadata"],
    [
      "a negative historyLength",
      { message, configuration: { historyLength: -1 } },
      "params.configuration.historyLength",
    ],
    [
      "a fractional historyLength",
      { message, configuration: { historyLength: 1.5 } },
      "params.configuration.historyLength",
    ],
    ["blocking that is a string", { message, configuration: { blocking: "no" } }, "params.configuration.blocking"],
  ])("refuse %s with -32602 naming the field (A4)", (_, params, field) => {
    const [code, text] = problem(readSendParams, params);
    expect(code).toBe(-32602);
    expect(text.startsWith(`${field}:`), text).toBe(true);
  });

  it("do not echo long input in their complaint", () => {
    const [, text] = problem(readSendParams, { message: { ...message, role: "x".repeat(100_000) } });
    expect(text.length).toBeLessThan(300);
  });

  it("hold an inline push config, read as strictly as one that is set", () => {
    const configuration = { pushNotificationConfig: { url: "https://x/", token: "t" } };
    expect(readSendParams({ message, configuration }).configuration?.taskPushNotificationConfig).toEqual({
      url: "https://x/",
      token: "t",
    });
    const broken = { pushNotificationConfig: { url: "https://x/", token: "a\nb" } };
    expect(problem(readSendParams, { message, configuration: broken })[0]).toBe(-32602);
  });

  it("accept or refuse anything, and never fail otherwise", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(readSendParams, readGetParams, readCancelParams, readResubscribeParams),
        (params, read) => {
          try {
            read(params);
          } catch (error) {
            expect((error as { code?: unknown }).code).toBe(-32602);
          }
        },
      ),
    );
  });
});

describe("params of the task methods", () => {
  it("name the task, and a cursor where there is one (A20)", () => {
    expect(readGetParams({ id: "t", historyLength: 2 })).toEqual({ id: "t", historyLength: 2 });
    expect(readCancelParams({ id: "t", metadata: { a: 1 } })).toEqual({ id: "t", metadata: { a: 1 } });
    expect(readResubscribeParams({ id: "t", metadata: { after: 3 } })).toEqual({ id: "t", after: 3 });
    expect(readResubscribeParams({ id: "t" })).toEqual({ id: "t" });
  });

  it("refuse a missing or empty id, and a cursor that is no sequence number", () => {
    for (const read of [readGetParams, readCancelParams, readResubscribeParams]) {
      for (const params of [undefined, {}, { id: "" }, { id: 1 }]) expect(problem(read, params)[0]).toBe(-32602);
    }
    for (const after of ["1", -1, 1.5, {}])
      expect(problem(readResubscribeParams, { id: "t", metadata: { after } })[0]).toBe(-32602);
  });
});

describe("the 0.3 wire", () => {
  const status = { state: "TASK_STATE_COMPLETED", timestamp: "2026-01-31T09:00:00.000Z" } as const;
  const history = [1, 2, 3].map((n) => ({ messageId: `m${n}`, role: "ROLE_USER" as const, parts: [{ text: `${n}` }] }));
  const cost = {
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, cacheReadInputTokens: 1 },
    durationMs: 12,
    costUsd: 0.1,
  };
  const task: Task = { id: "t", contextId: "c", status, history, metadata: { [COST_EXTENSION]: cost } };

  it("shows a task with its kind, its cost in `data`, and the extension in the shape that 1.0 has (A11)", () => {
    expect(taskToWire(task)).toMatchObject({
      kind: "task",
      status: { state: "completed", timestamp: status.timestamp },
      data: { usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 }, durationMs: 12 },
      metadata: { [COST_EXTENSION]: cost },
    });
    expect(taskFromWire(taskToWire(task)).metadata).toEqual(task.metadata);
    expect(taskToWire(task).data?.usage).not.toHaveProperty("cache_read_input_tokens");
    expect(taskToWire({ ...task, metadata: {} })).not.toHaveProperty("data");
  });

  it("gives as much history as was asked for (A10)", () => {
    expect(taskToWire(task).history).toHaveLength(3);
    expect(taskToWire(task, 0)).not.toHaveProperty("history");
    expect(taskToWire(task, 2).history?.map((item) => item.messageId)).toEqual(["m2", "m3"]);
    expect(taskToWire(task, 9).history).toHaveLength(3);
  });

  it("puts the type of a data part on the part and in its metadata (A12)", () => {
    expect(partToWire({ data: { a: 1 }, mediaType: "application/x" })).toEqual({
      kind: "data",
      data: { a: 1 },
      mimeType: "application/x",
      metadata: { mimeType: "application/x" },
    });
    expect(partToWire({ data: [1] })).toEqual({ kind: "data", data: { value: [1] } });
  });

  it("marks the frames that end a stream as final", () => {
    const final = (state: TaskState) =>
      (frameToWire({ statusUpdate: { taskId: "t", contextId: "c", status: { state } } }) as { final: boolean }).final;
    expect(final("TASK_STATE_WORKING")).toBe(false);
    for (const state of ["COMPLETED", "FAILED", "CANCELED", "REJECTED", "INPUT_REQUIRED", "AUTH_REQUIRED"]) {
      expect(final(`TASK_STATE_${state}` as TaskState)).toBe(true);
    }
  });

  it("writes each object once and the same text to everyone", () => {
    const writer = createFrameWriter();
    const reads: string[] = [];
    const watched: Task = {
      get id() {
        reads.push("id");
        return "t";
      },
      contextId: "c",
      status,
    };
    expect(writer.task(watched)).toBe(writer.frame({ task: watched }));
    expect(reads).toHaveLength(1);
    expect(writer.task(task, 1)).not.toBe(writer.task(task));
  });

  const name = fc.string({ minLength: 1, maxLength: 20 });
  const optional = <T>(key: string, arbitrary: fc.Arbitrary<T>) =>
    fc.option(
      arbitrary.map((value) => ({ [key]: value })),
      { nil: {} },
    );
  const json = fc
    .dictionary(
      name.filter((key) => key !== "__proto__"),
      fc.jsonValue(),
    )
    .map((value) => JSON.parse(JSON.stringify(value)));
  const plain: fc.Arbitrary<Part> = fc.oneof(
    fc.record({ text: fc.string() }),
    fc
      .tuple(fc.record({ raw: fc.base64String() }), optional("filename", name), optional("mediaType", name))
      .map((all) => Object.assign({}, ...all)),
    fc.record({ url: webUrl }),
    fc.record({ data: json }),
  );
  const messages = fc
    .tuple(
      fc.record({ messageId: name, parts: fc.array(plain, { minLength: 1, maxLength: 4 }) }),
      optional("contextId", name),
      optional("taskId", name),
      optional("metadata", json),
    )
    .map((all) => Object.assign({ role: "ROLE_USER" }, ...all) as Message);

  it("carries any message there and back", () => {
    fc.assert(
      fc.property(messages, (original) => {
        const wire = JSON.parse(JSON.stringify(messageToWire(original)));
        expect(readSendParams({ message: wire }).message).toEqual(original);
        expect(frameFromWire(wire)).toEqual({ frame: { message: original }, final: true });
      }),
    );
  });

  it("carries any task and frame there and back", () => {
    const state = fc.constantFrom<TaskState>(
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_UNSPECIFIED",
    );
    const artifacts = fc.array(
      fc
        .tuple(fc.record({ artifactId: name, parts: fc.array(plain, { maxLength: 3 }) }), optional("name", name))
        .map((all) => Object.assign({}, ...all) as Artifact),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(state, messages, artifacts, fc.boolean(), (where, text, outputs, append) => {
        const original: Task = {
          id: "t",
          contextId: "c",
          status: { state: where, message: text },
          artifacts: outputs,
          history: [text],
        };
        expect(taskFromWire(JSON.parse(JSON.stringify(taskToWire(original))))).toEqual(original);
        for (const artifact of outputs) {
          const frame = {
            artifactUpdate: { taskId: "t", contextId: "c", artifact, ...(append ? { append } : { lastChunk: true }) },
          };
          expect(frameFromWire(JSON.parse(JSON.stringify(frameToWire(frame)))).frame).toEqual(frame);
        }
      }),
    );
  });

  it("refuses an agent's nonsense with -32006", () => {
    for (const nonsense of [
      null,
      1,
      [],
      {},
      { kind: "task" },
      { kind: "task", id: "t" },
      { kind: "message" },
      { kind: "status-update", taskId: "t" },
      { kind: "artifact-update", taskId: "t", artifact: { artifactId: "a", parts: [{}] } },
    ]) {
      expect(problem(frameFromWire, nonsense)[0]).toBe(-32006);
    }
  });
});
