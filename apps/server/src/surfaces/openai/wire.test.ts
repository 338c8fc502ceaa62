/** `/v1` byte by byte: statuses, shapes, framing, streams that are slow, refused or left (V1, A4, A7, A15, S7). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Json, readBody, temporaryFolders, waitingTool } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

/** Sends a keep-alive after 40 ms of silence; the patient one after 15 s. */
let running: TestService;
const waiting = waitingTool();
let patient: TestService;
beforeAll(async () => {
  [running, patient] = await Promise.all([
    startTestService({ bounds: { keepAliveMs: 40 }, tools: [waiting.tool] }),
    startTestService(),
  ]);
});
afterAll(() => Promise.all([running.stop(), patient.stop()]));

interface Sent {
  readonly headers?: Record<string, string>;
  readonly to?: TestService;
  readonly signal?: AbortSignal;
}

function send(body: unknown, { headers = {}, to = running, signal }: Sent = {}): Promise<Response> {
  return fetch(`${to.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const user = (text: string, more: Json = {}): Json => ({ messages: [{ role: "user", content: text }], ...more });
const contentOf = (completion: Json): string => completion.choices[0].message.content;

async function answered(text: string, more: Json = {}, sent: Sent = {}): Promise<Json> {
  const response = await send(user(text, more), sent);
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

/** Status and `error` of a refusal, which has nothing else but perhaps access control's `detail`. */
async function refused(response: Response): Promise<Json> {
  const body = (await response.json()) as Json;
  expect(body.error).toEqual({
    message: expect.stringMatching(/./),
    type: expect.any(String),
    param: body.error.param === null ? null : expect.any(String),
    code: body.error.code === null ? null : expect.any(String),
  });
  return { status: response.status, ...body.error };
}

/** The task behind a completion's id, read over A2A. */
const taskOf = (completion: string): Promise<Json> =>
  running.wire.result("tasks/get", { id: completion.slice("chatcmpl-".length) });

describe("refusals have the error object that clients show (V1, A4, S1)", () => {
  it.each<[string, unknown, Record<string, string>, number]>([
    ["another content type", "hi", { "content-type": "text/plain" }, 415],
    ["no JSON", "{", {}, 400],
    ["JSON that is no object", "[]", {}, 400],
    ["too deep a nesting", `${"[".repeat(65)}${"]".repeat(65)}`, {}, 400],
    ["too many values", `[${"{},".repeat(100_000)}{}]`, {}, 400],
    ["no messages", {}, {}, 400],
    ["a session with a line break", user("hi", { session_id: "a\nb" }), {}, 400],
    ["a session of another type", user("hi", { session_id: 7 }), {}, 400],
    ["an empty key", user("hi"), { "idempotency-key": "" }, 400],
    ["more than 10 MiB", user("x".repeat(10 * 1024 * 1024)), {}, 413],
  ])("%s", async (_, body, headers, status) => {
    expect(await refused(await send(body, { headers }))).toMatchObject({ status, type: "invalid_request_error" });
  });

  it.each<[string, string, number]>([
    ["POST", "/v1/completions", 404],
    ["POST", "/v1/embeddings", 404],
    ["GET", "/v1/files", 404],
    ["GET", "/v1/chat/completions", 405],
    ["DELETE", "/v1/models/protoagent", 405],
  ])("%s %s", async (method, path, status) => {
    expect(await refused(await fetch(running.url + path, { method }))).toMatchObject({ status });
  });

  it("keeps access control's `detail` beside it, and only under /v1", async () => {
    await using gated = await startTestService({ env: { A2A_AUTH_TOKEN: "secret" } });
    const stranger = await send(user("hi"), { to: gated });
    expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const body = (await stranger.json()) as Json;
    expect(body.error).toEqual({ message: body.detail, type: "authentication_error", param: null, code: null });
    expect(Object.keys((await (await fetch(`${gated.url}/a2a`)).json()) as Json)).toEqual(["detail"]);
    const foreign = await ask(running.port, { path: "/v1/models", headers: { host: "evil.example" } });
    expect([foreign.status, JSON.parse(foreign.text).error.type]).toEqual([403, "permission_error"]);
    const page = { origin: "https://evil.example" };
    expect(await refused(await send(user("hi"), { headers: page }))).toMatchObject({ status: 403 });
  });

  it("has a Retry-After when too much runs already, and accepts nothing (S7)", async () => {
    await using full = await startTestService({ bounds: { maxHeldBytes: -1 } });
    const response = await send(user("hi"), { to: full });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused(response)).toMatchObject({ status: 429, code: "overloaded" });
  });
});

describe("A2A 0.3's paths under /v1 (A2)", () => {
  it("stay where they are", async () => {
    const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "/say hi" }] };
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ message }) };
    const { task } = (await (await fetch(`${running.url}/v1/message:send`, post)).json()) as Json;
    expect(task).toMatchObject({ kind: "task", status: { state: "completed" } });
    expect(await (await fetch(`${running.url}/v1/tasks/${task.id}`)).json()).toMatchObject({ id: task.id });
  });
});

describe("a stream", () => {
  it("is server-sent events: chunks, [DONE], and comments while there is no text", async () => {
    const response = await send(user("/call waiting {}\n/then\n/say late", { stream: true }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const text = await readBody(response, /^:\n\n/m, waiting.release);
    const events = text.split("\n\n").filter((event) => event !== "" && event !== ":");
    expect(text.startsWith(":\n\n")).toBe(true);
    expect(events.at(-1)).toBe("data: [DONE]");
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /, "")) as Json);
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: { content: "late" }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }],
    ]);
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        object: "chat.completion.chunk",
        model: "protoagent",
        created: expect.any(Number),
      });
      expect(chunk).not.toHaveProperty("usage");
    }
  });

  it("beyond the limit is refused before a task exists (S7)", async () => {
    await using small = await startTestService({ bounds: { maxStreams: 1, keepAliveMs: 20 } });
    const leave = new AbortController();
    const first = await send(user("/wait 60000", { stream: true }), { to: small, signal: leave.signal });
    expect(first.status).toBe(200);
    const second = await send(user("/say hi", { stream: true, session_id: "s" }), { to: small });
    expect(second.headers.get("retry-after")).toBe("5");
    expect(await refused(second)).toMatchObject({ status: 503 });
    expect(small.service.core.load()).toEqual({ running: 1, waiting: 0 });
    expect(contentOf(await answered("/say whole", {}, { to: small }))).toBe("whole");
    leave.abort();
  });

  it.each([
    ["before its headers came", () => patient],
    ["after them", () => running],
  ])("stops nothing when its reader leaves %s, and keeps no reader behind (A7)", async (_, at) => {
    const { db, journal } = at().service.core;
    const leave = new AbortController();
    const body = user("/wait 250\n/say went on", { stream: true, session_id: "left" });
    const response = send(body, { to: at(), signal: leave.signal });
    const whole = response.then((headers) => headers.text());
    const rows = () => db.read({ sql: "SELECT id, state FROM task WHERE context = 'left'", args: [] });
    await expect.poll(rows).toMatchObject([[expect.any(String), "running"]]);
    if (at() === running) await response;
    leave.abort();
    await expect(whole).rejects.toThrow();
    const id = String((await rows())[0]?.[0]);
    const record = (await journal.get(id)) ?? expect.fail("no record");
    await expect.poll(() => record.followers).toBe(0);
    await expect.poll(rows).toMatchObject([[id, "completed"]]);
  });

  it("that is not read delays no one, and is complete when it is read", async () => {
    const response = await send(user("/stream 30000", { stream: true, session_id: "slow" }));
    const reader = (response.body ?? expect.fail()).getReader();
    const first = await reader.read();
    // The task ends while no one reads on; turns of its session come after it.
    expect(contentOf(await answered("/say next", { session_id: "slow" }))).toBe("next");
    let text = new TextDecoder().decode(first.value);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    const pieces = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join("");
    expect(pieces).toBe(Array.from({ length: 30_000 }, (_, at) => `w${at} `).join(""));
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });
});

describe("a whole completion", () => {
  it("starts with white space when it takes long, and reports a later failure (A10)", async () => {
    waiting.hold();
    const late = await send(user("/call waiting {}\n/then\n/say late"));
    expect(late.headers.get("content-type")).toBe("application/json");
    const text = await readBody(late, /^ /, waiting.release);
    expect(text).toMatch(/^ +\{/);
    expect(contentOf(JSON.parse(text))).toBe("late");
    waiting.hold();
    const failed = await send(user("/call waiting {}\n/then\n/fail 500"));
    expect(failed.status).toBe(200);
    const body = JSON.parse(await readBody(failed, /^ /, waiting.release)) as Json;
    expect(body).toMatchObject({
      object: "chat.completion",
      choices: [{ finish_reason: "error", message: { content: body.error.message } }],
      error: { type: "upstream_error" },
    });
  });

  it("reports the end of a task that was canceled elsewhere", async () => {
    const pending = send(user("/wait 60000", { session_id: "to-cancel" }), { to: patient });
    const sql = "SELECT id FROM task WHERE context = 'to-cancel'";
    const find = () => patient.service.core.db.read({ sql, args: [] });
    await expect.poll(find).toHaveLength(1);
    await patient.wire.result("tasks/cancel", { id: String((await find())[0]?.[0]) });
    const response = await pending;
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await refused(response)).toMatchObject({ status: 409, code: "task_canceled" });
  });

  it("carries its session, so that a caller without one can continue", async () => {
    const first = await send(user("/say one"));
    const session = first.headers.get("x-session-id") ?? expect.fail("no session");
    const { id } = (await first.json()) as Json;
    expect((await taskOf(id)).contextId).toBe(session);
    const second = await answered("/say two", {}, { headers: { "x-session-id": session } });
    expect((await taskOf(second.id)).contextId).toBe(session);
    const named = await send(user("/say hi", { session_id: "grün" }));
    expect([named.status, named.headers.get("x-session-id")]).toEqual([200, null]);
  });
});

describe("Idempotency-Key (A15)", () => {
  const key = { headers: { "idempotency-key": "k-1" } };

  it("gives the same completion for the same request, whole or streamed, and refuses another", async () => {
    const first = await answered('/call calculator {"expression":"6*7"}', {}, key);
    const again = await answered('/call calculator {"expression":"6*7"}', {}, key);
    expect(again).toEqual(first);
    const stream = await send(user('/call calculator {"expression":"6*7"}', { stream: true }), key);
    const text = await stream.text();
    expect(text).toContain(`"id":"${first.id}"`);
    expect(text).toContain("calculator returned: 42");
    expect(await refused(await send(user("/say other"), key))).toMatchObject({
      status: 400,
      param: "Idempotency-Key",
      code: "key_conflict",
    });
  });

  it("covers answers too: the question is answered once", async () => {
    const session = { session_id: "keyed" };
    const script = '/call ask_human {"question":"First?"}\n/call ask_human {"question":"Second?"}';
    expect(contentOf(await answered(script, session))).toBe("First?");
    const answer = { headers: { "idempotency-key": "k-2" } };
    for (let i = 0; i < 2; i++) expect(contentOf(await answered("1", session, answer))).toBe("Second?");
    expect(contentOf(await answered("2", session))).toBe("ask_human returned: 1\nask_human returned: 2");
    expect(contentOf(await answered("1", session, answer))).toBe("ask_human returned: 1\nask_human returned: 2");
  });
});

it("a question that waits is answered after a restart", async () => {
  const folders = temporaryFolders();
  const config = 'checkpoint: { on_restart: resume }\nmodel: { name: "scripted:demo" }\n';
  {
    await using before = await startTestService({ folders, config });
    const asked = await answered('/call ask_human {"question":"Still?"}', { session_id: "s" }, { to: before });
    expect(contentOf(asked)).toBe("Still?");
  }
  await using after = await startTestService({ folders, config });
  const done = await answered("Yes", { session_id: "s" }, { to: after });
  expect(contentOf(done)).toBe("ask_human returned: Yes");
  await after.stop();
  folders.remove();
});
