/** Chat and sessions of the operator API on the running service (O5, O8, A15). */
import { chunkEvent, endEvents, localGateway } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    config:
      "providers:\n  - {id: main, type: scripted}\n  - {id: bare, type: oauth-subscription-a}\nmodel: {name: main:demo, max_retries: 0}\n",
  });
});
afterAll(() => running.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly [name: string]: unknown };
}

async function ask(method: string, path: string, body?: object, headers: object = {}): Promise<Answer> {
  const response = await fetch(running.url + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer["body"] };
}

const chat = (message: string, more: object = {}, headers: object = {}) =>
  ask("POST", "/api/chat", { message, ...more }, headers);
const detailOf = ({ status, body }: Answer) => ({ status, ...(body.detail as object) });

describe("POST /api/chat", () => {
  it("answers, creates a session, and continues it", async () => {
    const first = await chat("hello");
    const session = String(first.body.session_id);
    expect(session).toMatch(/^api-\d{13}-[0-9a-z]{6}$/);
    expect(first).toMatchObject({
      status: 200,
      body: { response: expect.stringContaining("You said: hello"), state: "completed", task_id: expect.any(String) },
    });
    const { messages, response } = first.body;
    expect(messages).toEqual([
      { role: "assistant", content: response, usage: expect.objectContaining({ total_tokens: expect.any(Number) }) },
    ]);
    const second = await chat("again", { session_id: session });
    expect([second.body.session_id, (await ask("GET", `/api/chat/sessions/${session}`)).body.turn_count]).toEqual([
      session,
      2,
    ]);
    expect((await chat(" ")).status).toBe(400);
    expect((await ask("POST", "/api/chat", { message: 1 })).status).toBe(422);
  });

  it("notes that an answer was cut off, at the model's limit and at the longest answer there is", async () => {
    const gateway = await localGateway({ steps: [chunkEvent({ content: "Half of" }), endEvents("length")] });
    onTestFinished(() => gateway.close());
    await using service = await startTestService({
      config: `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]\nmodel: { name: "gw:any" }\n`,
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"message":"Tell me."}' };
    const limited = (await (await fetch(`${service.url}/api/chat`, init)).json()) as object;
    expect(limited).toMatchObject({ response: "Half of", note: "The answer was cut off at the model's output limit." });
    const { body } = await chat(`/say ${"x".repeat(4_000_001)}`);
    expect(body).toMatchObject({ state: "completed", note: "The answer was cut off at 4,000,000 characters." });
    expect(String(body.response)).toHaveLength(4_000_000);
    expect((await chat("hello")).body).not.toHaveProperty("note");
  });

  it("reports what it waits for, and takes the answer with hitl_resume", async () => {
    const asked = await chat('/call ask_human {"question": "Which city?"}', { session_id: "s-ask" });
    expect(asked.body).toMatchObject({
      response: "Which city?",
      state: "input-required",
      input_required: { kind: "question", prompt_id: expect.any(String), question: "Which city?" },
    });
    const answered = await chat("Oslo", { session_id: "s-ask", hitl_resume: true }, { "idempotency-key": "k-resume" });
    expect(answered.body).toMatchObject({ state: "completed", task_id: asked.body.task_id });
    expect(answered.body.response).toContain("Oslo");
    const again = await chat("Oslo", { session_id: "s-ask", hitl_resume: true }, { "idempotency-key": "k-resume" });
    expect([again.status, again.body.task_id]).toEqual([200, asked.body.task_id]);
    const late = await chat("Bergen", { session_id: "s-ask", hitl_resume: true });
    expect(detailOf(late)).toMatchObject({ status: 409, code: "not_waiting", session_id: "s-ask" });
  });

  it("carries a message out once under its key, whoever asks again and whenever", async () => {
    const key = { "idempotency-key": "k-1" };
    const [first, twin] = await Promise.all([chat("/wait 50", {}, key), chat("/wait 50", {}, key)]);
    expect(twin.body).toMatchObject({ task_id: first.body.task_id, session_id: first.body.session_id });
    expect((await chat("/wait 50", {}, key)).body.task_id).toBe(first.body.task_id);
    expect((await chat("/wait 51", {}, key)).status).toBe(422);
  });

  it.each([
    ["/fail 429", 429, "rate_limited"],
    ["/fail 500", 502, "upstream"],
    ["/fail 413", 502, "context_overflow"],
  ])("answers %s with %i", async (message, status, code) => {
    const failed = await chat(message, { session_id: "s-fail" });
    expect(detailOf(failed)).toEqual({
      ...{ status, code, message: expect.stringContaining("scripted model") },
      ...{ upstream_status: Number(message.slice(6)), session_id: "s-fail", error_id: expect.any(String) },
    });
    const { error_id } = detailOf(failed) as { error_id?: string };
    expect(running.log.filter((line) => line.includes(String(error_id)))).toHaveLength(1);
  });

  it("answers 409 when the turn is canceled", async () => {
    const waiting = chat("/wait 60000", { session_id: "s-stop" });
    await expect
      .poll(async () => (await ask("GET", "/api/chat/sessions/s-stop")).body.active, { interval: 10 })
      .toBe(true);
    expect((await chat("/stop", { session_id: "s-stop" })).body.response).toBe("The turn was canceled.");
    expect(detailOf(await waiting)).toMatchObject({ status: 409, code: "canceled", session_id: "s-stop" });
  });

  it("refuses an unknown model with 400, and one that cannot be set up now with 503", async () => {
    expect(detailOf(await chat("hello", { model: "nobody:x" }))).toMatchObject({
      status: 400,
      code: "unknown_model",
    });
    const unset = await chat("hello", { model: "bare:x" });
    expect(detailOf(unset)).toMatchObject({ status: 503, code: "no_credential" });
    expect(unset.headers.get("retry-after")).toBe("5");
  });
});

describe("slash commands (R15)", () => {
  it("are listed, work on every surface, and an unknown one is refused with the list", async () => {
    const { commands } = (await ask("GET", "/api/chat/commands")).body as { commands: { name: string }[] };
    const names = commands.map(({ name }) => name);
    expect(names.slice(0, 7)).toEqual(["help", "goal", "status", "title", "stop", "compact", "model"]);
    expect(new Set(names).size).toBe(names.length);
    expect((await chat("/model")).body).toMatchObject({
      response: expect.stringContaining("demo leads"),
      state: "completed",
    });
    expect((await chat("/model nobody:x")).body.response).toContain("nobody");
    expect((await running.wire.say("/help")) as object).toMatchObject({
      status: { state: "completed" },
      artifacts: [{ parts: [{ text: expect.stringContaining("`/title [text]`") }] }],
    });
    const refused = detailOf(await chat("/nothing"));
    expect(refused).toMatchObject({ status: 400, code: "unknown_command", message: expect.stringContaining("/help") });
  });
});

describe("sessions", () => {
  it("are listed whatever surface they came from, found by their text, named and exported", async () => {
    await running.wire.say("the quick brown fox", { contextId: "s/1" } as never);
    await chat("a lazy dog", { session_id: "s-2" });
    const listed = await ask("GET", "/api/chat/sessions?limit=2");
    expect(listed.body.sessions).toHaveLength(2);
    const found = (await ask("GET", "/api/chat/sessions?search=Foxes")).body.sessions as { session_id: string }[];
    expect(found).toMatchObject([{ title: "the quick brown fox", origin: "a2a", active: false }]);
    const path = `/api/chat/sessions/${encodeURIComponent(found[0]!.session_id)}`;
    expect((await ask("PATCH", path, { title: "Animals" })).body).toMatchObject({ title: "Animals" });
    const { turns } = (await ask("GET", `${path}/turns`)).body as { turns: { text: string }[] };
    expect(turns).toMatchObject([{ history: [{ role: "user", text: "the quick brown fox" }], state: "completed" }]);
    const exported = await fetch(`${running.url + path}/export`);
    expect(exported.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(await exported.text()).toMatch(/^# Animals\n/);
  });

  it("that do not exist are 404 on every route", async () => {
    const unknown = { status: 404, code: "not_found" };
    expect(detailOf(await ask("GET", "/api/chat/sessions/nobody"))).toMatchObject(unknown);
    expect(detailOf(await ask("PATCH", "/api/chat/sessions/nobody", { title: "x" }))).toMatchObject(unknown);
    for (const part of ["turns", "export"]) {
      expect(detailOf(await ask("GET", `/api/chat/sessions/nobody/${part}`))).toMatchObject(unknown);
    }
  });
});
