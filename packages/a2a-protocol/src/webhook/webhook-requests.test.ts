import { describe, expect, it } from "vitest";
import type { PushNotificationConfig } from "../push/index.ts";
import type { NumberedFrame } from "../stream/index.ts";
import type { TaskState } from "../task/index.ts";
import { credentialHeaders, parseEventId, webhookRequests } from "./index.ts";

const config = (more: Partial<PushNotificationConfig> = {}): PushNotificationConfig => ({
  id: "t",
  taskId: "t",
  url: "https://hook.example/a",
  ...more,
});
const status = (seq: number, state: TaskState): NumberedFrame => ({
  seq,
  frame: { statusUpdate: { taskId: "t", contextId: "c", status: { state, timestamp: "2026-01-31T09:00:00.000Z" } } },
});
const output = (seq: number, artifactId: string): NumberedFrame => ({
  seq,
  frame: {
    artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId, parts: [{ text: "x" }] }, lastChunk: true },
  },
});

describe("the body of a webhook (W1)", () => {
  it("of a 0.3 registration is the status update of a stream, with the whole output under artifact on completion", () => {
    const [working] = webhookRequests(config(), "0.3", [status(1, "TASK_STATE_WORKING")]);
    expect(working?.seq).toBe(1);
    expect(JSON.parse(working!.body)).toEqual({
      kind: "status-update",
      taskId: "t",
      contextId: "c",
      status: { state: "working", timestamp: "2026-01-31T09:00:00.000Z" },
      final: false,
    });
    const done = webhookRequests(config(), "0.3", [output(6, "answer"), status(7, "TASK_STATE_COMPLETED")]);
    expect(done.map(({ seq }) => seq)).toEqual([7]);
    expect(JSON.parse(done[0]!.body)).toMatchObject({
      kind: "status-update",
      status: { state: "completed" },
      final: true,
      artifact: { artifactId: "answer", parts: [{ kind: "text", text: "x" }] },
    });
    expect(done[0]!.body).not.toContain('"artifacts"');
  });

  it("of a 0.3 registration holds further outputs too, and takes a task for its status", () => {
    const task = {
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_FAILED" as const },
      history: [],
      metadata: { why: 1 },
    };
    const [request] = webhookRequests(config(), "0.3", [
      output(2, "answer"),
      output(3, "chart"),
      { seq: 9, frame: { task } },
    ]);
    expect(request?.seq).toBe(9);
    expect(JSON.parse(request!.body)).toEqual({
      kind: "status-update",
      taskId: "t",
      contextId: "c",
      status: { state: "failed" },
      final: true,
      metadata: { why: 1 },
      artifact: { artifactId: "answer", parts: [{ kind: "text", text: "x" }] },
      artifacts: [
        { artifactId: "answer", parts: [{ kind: "text", text: "x" }] },
        { artifactId: "chart", parts: [{ kind: "text", text: "x" }] },
      ],
    });
    expect(webhookRequests(config(), "0.3", [output(2, "answer")])).toEqual([]);
  });

  it("of a 1.0 registration is one StreamResponse per POST, the outputs before the state", () => {
    const frames = [output(6, "answer"), status(7, "TASK_STATE_COMPLETED")];
    const posts = webhookRequests(config(), "1.0", frames);
    expect(posts.map(({ body }) => JSON.parse(body))).toEqual(frames.map(({ frame }) => frame));
    expect(posts.map(({ headers }) => [headers["content-type"], headers["X-A2A-Event-Id"]])).toEqual([
      ["application/a2a+json", "t/6"],
      ["application/a2a+json", "t/7"],
    ]);
  });

  it("is named by its event, and the name can be taken apart again", () => {
    const [post] = webhookRequests(config(), "0.3", [status(12, "TASK_STATE_WORKING")]);
    expect(post?.headers).toEqual({ "content-type": "application/json", "X-A2A-Event-Id": "t/12" });
    expect(parseEventId("t/12")).toEqual({ taskId: "t", seq: 12 });
    expect(parseEventId("a/b/3")).toEqual({ taskId: "a/b", seq: 3 });
    for (const id of [null, "", "t", "t/", "/3", "t/x", "t/-1"]) expect(parseEventId(id), String(id)).toBeUndefined();
  });
});

describe("the credentials of a webhook (W1)", () => {
  const both = (scheme: string, value: string, token = value) => ({
    Authorization: `${scheme} ${value}`,
    "X-A2A-Notification-Token": token,
  });

  it("go in both headers whichever shape the token came in", () => {
    for (const version of ["0.3", "1.0"] as const) {
      expect(credentialHeaders(config({ token: "s3" }), version)).toEqual(both("Bearer", "s3"));
      const structured = config({ authentication: { scheme: "bearer", credentials: "c4" } });
      expect(credentialHeaders(structured, version)).toEqual(both("Bearer", "c4"));
      expect(credentialHeaders(config({ authentication: { scheme: "Bearer" } }), version)).toEqual({});
      expect(credentialHeaders(config(), version)).toEqual({});
    }
  });

  it("of a config with both shapes are the token in 0.3, and in 1.0 each in the header that is its own", () => {
    const shapes = config({ token: "s3", authentication: { scheme: "Basic", credentials: "dTpw" } });
    expect(credentialHeaders(shapes, "0.3")).toEqual(both("Bearer", "s3"));
    expect(credentialHeaders(shapes, "1.0")).toEqual(both("Basic", "dTpw", "s3"));
    const schemeOnly = config({ token: "s3", authentication: { scheme: "Basic" } });
    expect(credentialHeaders(schemeOnly, "1.0")).toEqual(both("Basic", "s3"));
  });
});
