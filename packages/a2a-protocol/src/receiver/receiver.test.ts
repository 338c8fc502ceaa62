import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProtocolVersion } from "../message/index.ts";
import type { PushNotificationConfig } from "../push/index.ts";
import type { NumberedFrame } from "../stream/index.ts";
import { webhookRequests } from "../webhook/index.ts";
import { createWebhookReceiver, type WebhookNotification, type WebhookReceiverOptions } from "./index.ts";

const registered: PushNotificationConfig = { id: "t", taskId: "t", url: "https://hook.example/", token: "s3cret" };
const done: readonly NumberedFrame[] = [
  {
    seq: 6,
    frame: {
      artifactUpdate: {
        taskId: "t",
        contextId: "c",
        artifact: { artifactId: "answer", parts: [{ text: "42" }] },
        lastChunk: true,
      },
    },
  },
  {
    seq: 7,
    frame: {
      statusUpdate: {
        taskId: "t",
        contextId: "c",
        status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-01-31T09:00:00.000Z" },
      },
    },
  },
];

function posts(config: PushNotificationConfig, version: ProtocolVersion): Request[] {
  return webhookRequests(config, version, done).map(
    ({ headers, body }) => new Request(config.url, { method: "POST", headers: { ...headers }, body }),
  );
}

function post(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request("https://hook.example/", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: "Bearer s3cret",
      "x-a2a-notification-token": "s3cret",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const status = { kind: "status-update", taskId: "t", contextId: "c", status: { state: "working" }, final: false };

async function statusOf(request: Request, options: WebhookReceiverOptions = { token: "s3cret" }): Promise<number> {
  const notification = await createWebhookReceiver(options)(request);
  return notification instanceof Response ? notification.status : 200;
}

describe("the receiving end of a webhook (W1)", () => {
  it("reads what agents of either version send, as the same frames", async () => {
    const receive = createWebhookReceiver({ token: "s3cret" });
    const notification = async (version: ProtocolVersion) => {
      const all: WebhookNotification[] = [];
      for (const request of posts(registered, version)) {
        const one = await receive(request);
        if (one instanceof Response) throw new Error(await one.text());
        all.push(one);
      }
      return all;
    };
    const frames = done.map(({ frame }) => frame);
    const old = await notification("0.3");
    expect(old).toEqual([{ taskId: "t", version: "0.3", frames, eventId: "t/7" }]);
    const current = await notification("1.0");
    expect(current).toEqual([
      { taskId: "t", version: "1.0", frames: [frames[0]], eventId: "t/6" },
      { taskId: "t", version: "1.0", frames: [frames[1]], eventId: "t/7" },
    ]);
  });

  it("reads several outputs, the bare task of the 0.3 guide, and what names no event", async () => {
    const receive = createWebhookReceiver({ token: "s3cret" });
    const artifact = (artifactId: string) => ({ artifactId, parts: [{ kind: "text", text: "x" }] });
    const several = await receive(
      post({ ...status, artifact: artifact("a"), artifacts: [artifact("a"), artifact("b")] }),
    );
    expect(several).toMatchObject({ eventId: undefined, frames: [{ artifactUpdate: {} }, { artifactUpdate: {} }, {}] });
    const task = { kind: "task", id: "t", contextId: "c", status: { state: "completed" } };
    expect(await receive(post(task))).toMatchObject({ taskId: "t", version: "0.3", frames: [{ task: { id: "t" } }] });
    const message = { message: { messageId: "m", role: "ROLE_AGENT", taskId: "t", parts: [{ text: "x" }] } };
    expect(await receive(post(message))).toMatchObject({ taskId: "t", version: "1.0" });
  });

  it("accepts both headers together, and one where it is configured to", async () => {
    expect(await statusOf(post(status))).toBe(200);
    const wrong: Record<string, string>[] = [
      { authorization: "Bearer other" },
      { authorization: "s3cret" },
      { authorization: "Bearer s3cret " + "x" },
      { authorization: "" },
      { "x-a2a-notification-token": "other" },
      { "x-a2a-notification-token": "s3cre" },
      { "x-a2a-notification-token": "" },
    ];
    for (const headers of wrong) {
      expect(await statusOf(post(status, headers)), JSON.stringify(headers)).toBe(401);
      expect(await statusOf(post(status, headers), { token: "s3cret", headers: "either" })).toBe(401);
    }
    const one = (name: string) => {
      const request = post(status);
      request.headers.delete(name);
      return request;
    };
    for (const name of ["authorization", "x-a2a-notification-token"]) {
      expect(await statusOf(one(name))).toBe(401);
      expect(await statusOf(one(name), { token: "s3cret", headers: "either" })).toBe(200);
    }
    const none = one("authorization");
    none.headers.delete("x-a2a-notification-token");
    expect(await statusOf(none, { token: "s3cret", headers: "either" })).toBe(401);
    const notification = await createWebhookReceiver({ token: "s3cret" })(none);
    expect((notification as Response).headers.get("www-authenticate")).toBe("Bearer");
  });

  it("expects the registered scheme of a 1.0 registration, and the bearer of a 0.3 one", async () => {
    const authentication = { scheme: "Basic", credentials: "dTpw" };
    for (const options of [{ authentication }, { token: "s3cret", authentication }]) {
      const { token: _, ...tokenless } = registered;
      const config = { ...tokenless, ...options };
      for (const version of ["0.3", "1.0"] as const) {
        for (const request of posts(config, version)) expect(await statusOf(request, options)).toBe(200);
      }
    }
    expect(await statusOf(post(status), { authentication })).toBe(401);
    for (const options of [{}, { token: "" }, { authentication: { scheme: "Basic" } }]) {
      expect(() => createWebhookReceiver(options)).toThrow(TypeError);
    }
  });

  it("refuses what is no notification, before and after it is read", async () => {
    const oversized = `{"kind":"status-update","x":"${"x".repeat(2000)}"}`;
    const cases: [number, Request, WebhookReceiverOptions?][] = [
      [405, new Request("https://hook.example/")],
      [415, post(status, { "content-type": "text/plain" })],
      [413, post(oversized), { token: "s3cret", maxBytes: 1000 }],
      [400, post("{nope")],
      [400, post(`${"[".repeat(100)}${"]".repeat(100)}`)],
      [400, post([])],
      [400, post({})],
      [400, post(null)],
      [400, post({ ...status, kind: "other" })],
      [400, post({ ...status, taskId: "" })],
      [400, post({ ...status, artifact: 5 })],
      [400, post({ message: { messageId: "m", role: "ROLE_AGENT", parts: [] } })],
      [400, post(status, { "x-a2a-event-id": "other/3" })],
      [400, post(status, { "x-a2a-event-id": "nonsense" })],
    ];
    for (const [expected, request, options] of cases) {
      expect(await statusOf(request, options), String(expected)).toBe(expected);
    }
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
    const headers = post(status).headers;
    const init = { method: "POST", headers, body: broken, duplex: "half" };
    expect(await statusOf(new Request("https://hook.example/", init as RequestInit))).toBe(400);
  });

  it("never rejects, whatever is in the body", async () => {
    const receive = createWebhookReceiver({ token: "s3cret" });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const notification = await receive(post(value));
        expect(notification instanceof Response ? notification.status : 200).toBeLessThan(500);
      }),
    );
  });
});
