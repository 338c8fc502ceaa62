import { describe, expect, it } from "vitest";
import type { Part } from "../message/index.ts";
import type { Task } from "../task/index.ts";
import { applyFrame, type StreamResponse } from "./index.ts";

const task: Task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
const artifact = (artifactId: string, parts: readonly Part[], append = false): StreamResponse => ({
  artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId, parts }, ...(append && { append }) },
});
const after = (...frames: StreamResponse[]) => frames.reduce(applyFrame, task);

describe("a task after its frames", () => {
  it("grows an artifact by appended text and keeps it one part", () => {
    const { artifacts } = after(artifact("a", [{ text: "He" }], true), artifact("a", [{ text: "llo" }], true));
    expect(artifacts).toEqual([{ artifactId: "a", parts: [{ text: "Hello" }] }]);
  });

  it("appends parts of another kind as parts of their own", () => {
    const { artifacts } = after(artifact("a", [{ text: "x" }], true), artifact("a", [{ data: 1 }], true));
    expect(artifacts?.[0]?.parts).toEqual([{ text: "x" }, { data: 1 }]);
  });

  it("replaces an artifact where the frame does not append, in place", () => {
    const { artifacts } = after(artifact("a", [{ text: "x" }]), artifact("b", [{ text: "y" }]), artifact("a", []));
    expect(artifacts).toEqual([
      { artifactId: "a", parts: [] },
      { artifactId: "b", parts: [{ text: "y" }] },
    ]);
  });

  it("takes status and, at the end, the metadata of the task", () => {
    const status = (state: Task["status"]["state"], metadata: Record<string, unknown>): StreamResponse => ({
      statusUpdate: { taskId: "t", contextId: "c", status: { state }, metadata },
    });
    expect(after(status("TASK_STATE_WORKING", { tool: 1 }), status("TASK_STATE_COMPLETED", { cost: 2 }))).toEqual({
      ...task,
      status: { state: "TASK_STATE_COMPLETED" },
      metadata: { cost: 2 },
    });
  });

  it("is untouched by other tasks' frames, by messages and by its own past", () => {
    const message: StreamResponse = { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] } };
    const other: StreamResponse = {
      artifactUpdate: { taskId: "other", contextId: "c", artifact: { artifactId: "a", parts: [] } },
    };
    expect(after(message, other)).toBe(task);
    expect(task).toEqual({ id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } });
  });
});
