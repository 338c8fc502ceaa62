/** ListTasks (A2A 1.0.1 3.1.4) in both bindings, over tasks in memory. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type A2AHandlerOptions, createA2AHandler, cursorOfToken, inMemoryExecutor, pageToken } from "./index.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;

const V1 = { "a2a-version": "1.0" };

function start(options: Partial<A2AHandlerOptions> = {}) {
  let now = Date.parse("2026-01-31T09:00:00.000Z");
  const executor = inMemoryExecutor(
    async function* ({ text, ask }) {
      if (text === "ask") await ask("Which?");
      if (text === "fail") throw new Error("no");
      yield { text };
    },
    { now: () => now++, onError: () => {} },
  );
  const handler = createA2AHandler({
    card: { name: "T", description: "d" },
    executor,
    authenticate: (request) => ({ class: request.headers.get("x-class") ?? "operator" }),
    ...options,
  });
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = V1) => {
    const request = new Request(`http://agent.example${path}`, {
      method,
      headers: { ...(method === "POST" && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await handler(request);
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const call = async (method: string, params?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const { body } = await ask("POST", "/a2a", { jsonrpc: "2.0", id: 1, method, params }, { ...V1, ...headers });
    return "error" in body ? body.error : body.result;
  };
  const send = async (text: string, contextId?: string, headers?: Record<string, string>): Promise<Answer> => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text }], ...(contextId && { contextId }) };
    return (await call("SendMessage", { message }, headers)).task;
  };
  return { ask, call, send };
}

const ids = ({ tasks }: Answer): string[] => tasks.map(({ id }: Answer) => id);

describe("a list of tasks", () => {
  it("brings the newest status first, whole but for the artifacts, and marks the last page [R10-3.1.4-1, R10-3.1.4-2, R10-3.1.4-3, R10-3.1.4-6, R10-3.1.4-8]", async () => {
    const { call, send } = start();
    expect(await call("ListTasks")).toEqual({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
    const parked = await send("ask");
    const first = await send("one");
    const second = await send("two");
    await call("SendMessage", {
      message: { messageId: "r", role: "ROLE_USER", parts: [{ text: "x" }], taskId: parked.id },
    });
    const list = await call("ListTasks", {});
    expect(list).toMatchObject({ nextPageToken: "", pageSize: 50, totalSize: 3 });
    // The reply made the oldest task the newest.
    expect(ids(list)).toEqual([parked.id, second.id, first.id]);
    const { artifacts, ...rest } = await call("GetTask", { id: first.id });
    expect(artifacts).toHaveLength(1);
    expect(list.tasks[2]).toEqual(rest);
    const times = list.tasks.map(({ status }: Answer) => Date.parse(status.timestamp));
    expect(times).toEqual([...times].sort((a: number, b: number) => b - a));
  });

  it("brings artifacts and as much history as was asked for", async () => {
    const { call, send } = start();
    const task = await send("one");
    const whole = await call("ListTasks", { includeArtifacts: true });
    expect(whole.tasks).toEqual([task]);
    expect((await call("ListTasks", { include_artifacts: true, history_length: 1 })).tasks).toEqual([task]);
    expect((await call("ListTasks", { historyLength: 0 })).tasks[0]).not.toHaveProperty("history");
    expect((await call("ListTasks", { includeArtifacts: false })).tasks[0]).not.toHaveProperty("artifacts");
  });

  it("is narrowed by context, state and time", async () => {
    const { call, send } = start();
    const failed = await send("fail", "c1");
    const done = await send("one", "c1");
    const other = await send("two", "c2");
    expect(ids(await call("ListTasks", { contextId: "c1" }))).toEqual([done.id, failed.id]);
    expect(ids(await call("ListTasks", { context_id: "c2" }))).toEqual([other.id]);
    expect(ids(await call("ListTasks", { status: "TASK_STATE_FAILED" }))).toEqual([failed.id]);
    expect(ids(await call("ListTasks", { status: "TASK_STATE_WORKING" }))).toEqual([]);
    const narrow = await call("ListTasks", { contextId: "c1", status: "TASK_STATE_COMPLETED", pageSize: 1 });
    expect(narrow).toMatchObject({ totalSize: 1, pageSize: 1, nextPageToken: "" });
    const since = { statusTimestampAfter: done.status.timestamp };
    expect(ids(await call("ListTasks", since))).toEqual([other.id, done.id]);
    const zoned = { statusTimestampAfter: done.status.timestamp.replace("Z", "+00:00") };
    expect(ids(await call("ListTasks", zoned))).toEqual([other.id, done.id]);
    const empty = { contextId: "", status: "TASK_STATE_UNSPECIFIED", pageToken: "", statusTimestampAfter: "" };
    expect(await call("ListTasks", empty)).toMatchObject({ totalSize: 3 });
  });

  it("is returned in pages that together are the list, whatever is added meanwhile [R10-3.1.4-5]", async () => {
    const { call, send } = start();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.unshift((await send(String(i))).id);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await call("ListTasks", { pageSize: 3, pageToken });
      expect(page.pageSize).toBe(3);
      seen.push(...ids(page));
      ({ nextPageToken: pageToken } = page);
      await send("new");
    } while (pageToken !== "");
    expect(seen).toEqual(made);
  });

  it("shows a caller what its class may see (A16) [R10-3.1.4-4, R10-3.1.4-7, R10-13.1-5]", async () => {
    const { call, send } = start();
    const federation = { "x-class": "federation" };
    const own = await send("one", "c", federation);
    const foreign = await send("two", "c");
    const list = await call("ListTasks", { contextId: "c" }, federation);
    expect([ids(list), list.totalSize]).toEqual([[own.id], 1]);
    expect(ids(await call("ListTasks", { contextId: "c" }))).toEqual([foreign.id, own.id]);
  });

  it("refuses what it cannot read, naming the field (A4)", async () => {
    const { call } = start();
    const cases: [string, unknown][] = [
      ["pageSize", 0],
      ["pageSize", 101],
      ["pageSize", -1],
      ["pageSize", 1.5],
      ["pageSize", "ten"],
      ["pageToken", "nonsense"],
      ["pageToken", "%"],
      ["status", "completed"],
      ["status", "toString"],
      ["historyLength", -1],
      ["statusTimestampAfter", "yesterday"],
      ["statusTimestampAfter", "2026-13-40T00:00:00Z"],
      ["statusTimestampAfter", "2026-01-01"],
      ["includeArtifacts", "yes"],
      ["contextId", "a\nb"],
    ];
    for (const [field, value] of cases) {
      const error = await call("ListTasks", { [field]: value });
      expect([error.code, error.data?.[1]?.fieldViolations[0].field], `${field} ${String(value)}`).toEqual([
        -32602,
        `params.${field}`,
      ]);
    }
    expect((await call("ListTasks", [])).code).toBe(-32602);
  });

  it("is -32601 in 0.3 over JSON-RPC, which has no such method, and -32004 where the executor has none", async () => {
    const { call } = start();
    expect((await call("ListTasks", {}, { "a2a-version": "0.3" })).code).toBe(-32601);
    expect((await call("tasks/list", {}, { "a2a-version": "0.3" })).code).toBe(-32601);
    const { list: _, ...executor } = inMemoryExecutor(async function* () {
      yield { text: "x" };
    });
    const bare = start({ executor });
    expect((await bare.call("ListTasks")).code).toBe(-32004);
  });
});

describe("a list of tasks over HTTP+JSON", () => {
  it("reads the query, in 1.0", async () => {
    const { ask, send } = start();
    const first = await send("one", "c");
    const second = await send("two", "c");
    const path = "/a2a/tasks/?contextId=c&pageSize=1&includeArtifacts=true&status=TASK_STATE_COMPLETED";
    const page = await ask("GET", path);
    expect(page).toMatchObject({ status: 200, body: { tasks: [second], pageSize: 1, totalSize: 2 } });
    const rest = await ask("GET", `${path}&page_token=${page.body.nextPageToken}&historyLength=0`);
    expect([ids(rest.body), rest.body.nextPageToken]).toEqual([[first.id], ""]);
    const since = encodeURIComponent(second.status.timestamp);
    expect(ids((await ask("GET", `/a2a/tasks?statusTimestampAfter=${since}`)).body)).toEqual([second.id]);
    expect((await ask("GET", "/a2a/tasks?pageSize=500")).status).toBe(400);
    expect((await ask("POST", "/a2a/tasks", {})).status).toBe(405);
  });

  it('is an array of 0.3\'s tasks in 0.3 (A2A 0.3.0 "tasks/list", A2)', async () => {
    const { ask, send, call } = start();
    const first = await send("one");
    const second = await send("fail");
    for (const path of ["/a2a/tasks", "/v1/tasks"]) {
      const { body } = await ask("GET", path, undefined, {});
      expect(body.map(({ kind, id, status }: Answer) => [kind, id, status.state])).toEqual([
        ["task", second.id, "failed"],
        ["task", first.id, "completed"],
      ]);
      expect(body[1]).not.toHaveProperty("artifacts");
    }
    const { body } = await ask("GET", "/v1/tasks?status=completed&includeArtifacts=true", undefined, {});
    expect(body).toEqual([await call("tasks/get", { id: first.id }, { "a2a-version": "0.3" })]);
    expect((await ask("GET", "/v1/tasks?status=TASK_STATE_FAILED", undefined, {})).status).toBe(400);
    expect((await ask("GET", "/v1/tasks")).body.code).toBe(-32009);
  });
});

describe("a page token", () => {
  it("returns its cursor, and no other text is one", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 }), fc.string({ unit: "grapheme", minLength: 1 }), (time, id) => {
        expect(cursorOfToken(pageToken({ time, id }))).toEqual({ time, id });
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        let cursor: ReturnType<typeof cursorOfToken>;
        try {
          cursor = cursorOfToken(text);
        } catch (error) {
          expect(error).toMatchObject({ code: -32602 });
          return;
        }
        expect(pageToken(cursor)).toBe(text);
      }),
    );
  });
});
