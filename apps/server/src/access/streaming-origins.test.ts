/** `A2A_ALLOWED_ORIGINS` on everything that streams, of the running service (B29; S4). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Json } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const LISTED = "https://listed.example";
const V1 = { "a2a-version": "1.0" };

interface Way {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Json;
}

const rpc = (method: string, params: Json, headers = {}): Way => ({
  method: "POST",
  path: "/a2a",
  headers,
  body: { jsonrpc: "2.0", id: 1, method, params },
});
const old = (contextId: string): Json => ({ message: { role: "user", parts: [{ text: "/say hi" }], contextId } });
const recent = (contextId: string): Json => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "/say hi" }], contextId },
});

const chat = (session: string, stream: boolean): Json => ({
  messages: [{ role: "user", content: "/say hi" }],
  session_id: session,
  stream,
});

/** Ways that start a stream with a message, then those that join the stream of a task. */
const sending = (context: string): readonly Way[] => [
  rpc("message/stream", old(context)),
  rpc("SendStreamingMessage", recent(context), V1),
  { method: "POST", path: "/a2a/message:stream", body: old(context) },
  { method: "POST", path: "/a2a/message:stream", headers: V1, body: recent(context) },
  { method: "POST", path: "/v1/message:stream", body: old(context) },
  { method: "POST", path: "/message:stream", body: old(context) },
  { method: "POST", path: "/v1/chat/completions", body: chat(context, true) },
];
const joining = (id: string): readonly Way[] => [
  rpc("tasks/resubscribe", { id }),
  rpc("SubscribeToTask", { id }, V1),
  ...["/a2a", "/v1", ""].flatMap((prefix) =>
    (["GET", "POST"] as const).map((method) => ({
      method,
      path: `${prefix}/tasks/${id}:subscribe`,
      ...(method === "POST" && { body: {} }),
    })),
  ),
];

const go = (running: TestService, way: Way, origin: string | undefined) =>
  ask(running.port, {
    leaveStream: true,
    method: way.method,
    path: way.path,
    headers: {
      host: `localhost:${running.port}`,
      ...(way.body !== undefined && { "content-type": "application/json" }),
      ...way.headers,
      ...(origin !== undefined && { origin }),
    },
    ...(way.body !== undefined && { body: JSON.stringify(way.body) }),
  });

const isStream = ({ headers }: { headers: { "content-type"?: string } }): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true;

describe("with origins listed", () => {
  let running: TestService;
  let parked: Json;
  beforeAll(async () => {
    running = await startTestService({ env: { A2A_ALLOWED_ORIGINS: `${LISTED}, https://other.example` } });
    parked = await running.wire.say('/call ask_human {"question":"Q?"}');
  });
  afterAll(() => running.stop());

  const foreign = [
    undefined,
    "https://evil.example",
    "null",
    `${LISTED}.evil.example`,
    `${LISTED}:8443`,
    "http://listed.example",
  ];

  it("a stream of any method, version and binding is 403 for another origin or none, and nothing is accepted", async () => {
    const before = await metric(running, "protoagent_a2a_turns_total");
    for (const way of [...sending("refused"), ...joining(parked.id)]) {
      for (const origin of foreign) {
        const answer = await go(running, way, origin);
        expect([way.path, way.body?.method, origin, answer.status]).toEqual([way.path, way.body?.method, origin, 403]);
        expect(JSON.parse(answer.text)).toMatchObject({ detail: expect.stringMatching(/Origin|page of another site/) });
      }
    }
    expect(await metric(running, "protoagent_a2a_turns_total")).toBe(before);
    expect(running.service.core.load()).toEqual({ running: 0, waiting: 0 });
  });

  it("a listed one streams, in any case, and so does our own", async () => {
    for (const way of [...sending("streams"), ...joining(parked.id)]) {
      for (const origin of [LISTED, LISTED.toUpperCase(), `http://localhost:${running.port}`]) {
        const answer = await go(running, way, origin);
        expect([way.path, way.body?.method, origin, answer.status]).toEqual([way.path, way.body?.method, origin, 200]);
        expect(isStream(answer)).toBe(true);
      }
    }
  });

  it("the stream of events requires no origin, as nothing guards it, so that the console works", async () => {
    for (const origin of [...foreign, `http://localhost:${running.port}`]) {
      const answer = await go(running, { method: "GET", path: "/api/events" }, origin);
      expect([origin, answer.status, isStream(answer)]).toEqual([origin, 200, true]);
    }
  });

  it("a page of ours joins a stream by GET, where browsers send no Origin", async () => {
    for (const [site, status] of [
      ["same-origin", 200],
      ["same-site", 403],
      ["cross-site", 403],
    ] as const) {
      const way: Way = {
        method: "GET",
        path: `/a2a/tasks/${parked.id}:subscribe`,
        headers: { "sec-fetch-site": site },
      };
      expect([site, (await go(running, way, undefined)).status]).toEqual([site, status]);
    }
  });

  it("what does not stream requires no origin", async () => {
    for (const way of [rpc("message/send", old("plain")), rpc("tasks/get", { id: parked.id })]) {
      for (const origin of foreign) expect((await go(running, way, origin)).status).toBe(200);
    }
    const plainChat: Way = { method: "POST", path: "/v1/chat/completions", body: chat("plain", false) };
    expect((await go(running, plainChat, undefined)).status).toBe(200);
  });
});

describe("with origins unset or a star", () => {
  it.each([undefined, "*"])("%s: every origin streams, and none", async (allowed) => {
    await using running = await startTestService({
      env: allowed === undefined ? {} : { A2A_ALLOWED_ORIGINS: allowed },
    });
    const warned = running.log.join("").includes("A2A_ALLOWED_ORIGINS is not set");
    expect(warned).toBe(allowed === undefined);
    for (const way of sending("open")) {
      // Outside A2A a page of another site may not post at all (S4).
      const origins = way.path === "/v1/chat/completions" ? [undefined] : [undefined, "https://any.example"];
      for (const origin of origins) {
        const answer = await go(running, way, origin);
        expect(isStream(answer)).toBe(true);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
  });
});

async function metric({ url }: TestService, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const rows = text.split("\n").filter((line) => line.startsWith(`${name}{`));
  return rows.reduce((sum, row) => sum + Number(row.split(" ").at(-1)), 0);
}
