/** Requests: envelopes, parameters, versions, extensions, and the errors of invalid ones. */
import { afterAll, describe, expect, it } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { misfits03 } from "./shapes-0-3.ts";
import { type Json, speakersTo, stateOf, textOf } from "./speaker.ts";

const COST = "urn:agent-service:a2a:ext:cost-v1";
const running = await startTestService();
afterAll(() => running.stop());
const callers = speakersTo(running.url);

/** How many tasks the service knows. */
async function tasks(): Promise<number> {
  const [row] = await running.service.core.db.read({ sql: "SELECT count(*) FROM task", args: [] });
  return Number(row?.[0]);
}

describe.each(callers)("a request in $version over $binding", (caller) => {
  const good = (): Json => caller.params({ text: "/say x" });
  const withMessage = (fields: Json): Json => ({ ...good(), message: { ...good().message, ...fields } });
  const choice =
    caller.version === "0.3" ? /at least one part|kind/ : /exactly one of|at least one part|Expected "ROLE_USER"/;

  it.each<[string, () => Json, string]>([
    ["no message", () => ({}), "message"],
    ["no role", () => withMessage({ role: undefined }), "message.role"],
    ["a role that is none", () => withMessage({ role: "robot" }), "message.role"],
    ["no parts", () => withMessage({ parts: undefined }), "message.parts"],
    ["empty parts", () => withMessage({ parts: [] }), "message.parts"],
    ["a part that is nothing", () => withMessage({ parts: [{ kind: "video" }] }), "message.parts.0"],
    ["no message id", () => withMessage({ messageId: undefined }), "message.messageId"],
    ["an id that is no text", () => withMessage({ contextId: 7 }), "message.contextId"],
    ["a negative length", () => ({ ...good(), configuration: { historyLength: -1 } }), "configuration.historyLength"],
    [
      "a list of modes that is none",
      () => ({ ...good(), configuration: { acceptedOutputModes: "text" } }),
      "configuration.acceptedOutputModes",
    ],
    ["metadata that is no object", () => ({ ...good(), metadata: [] }), "metadata"],
    ["an unknown skill", () => ({ ...good(), metadata: { skill: "nope" } }), "metadata.skill"],
  ])(
    "with %s is refused by name and reason before anything happens [R10-3.3.2-1, R10-3.3.2-2, R10-3.3.2-9, R10-3.3.2-10, R10-5.7-2, R10-13.4-5, R10-14.1.1-2, R03-10.2-2]",
    async (_name, input, field) => {
      const before = await tasks();
      const { error } = await caller.ask("send", input());
      expect(error?.code).toBe(-32602);
      const [, named, reason] = /^(?:params\.)?([\w.]+): (.+)$/.exec(error?.message ?? "") ?? [];
      expect([named, reason]).toEqual([expect.stringContaining(field), expect.stringMatching(/\w+ \w+/)]);
      if (caller.version === "1.0") {
        expect(error?.details).toContainEqual({
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: expect.stringContaining(field), description: reason }],
        });
      }
      expect(await tasks()).toBe(before);
    },
  );

  it("that is refused gets the accepted values [R10-3.3.2-11]", async () => {
    const wrong = [
      withMessage({ parts: [] }),
      withMessage({ parts: [{ kind: "video" }] }),
      withMessage({ role: "robot" }),
    ];
    const messages = await Promise.all(wrong.map(async (input) => (await caller.ask("send", input)).error?.message));
    expect(messages.filter((message) => choice.test(message ?? "")).length).toBeGreaterThanOrEqual(2);
    expect(messages.every((message) => (message ?? "").length < 400)).toBe(true);
  });

  it("may hold unknown fields [R10-5.7-4]", async () => {
    const input = { ...withMessage({ news: 1 }), tenant: "acme", novelty: { deep: [true] } };
    const { result } = await caller.ask("send", input);
    expect(textOf(result)).toBe("x");
    expect(JSON.stringify(result)).not.toMatch(/news|novelty/);
  });

  it("activates extensions by header, whatever the case of its name, and names them in the response [R10-T:ext-1, R03-T:ext-1, R10-9.2-1, R10-9.2-2, R10-9.2-3, R10-11.2-1, R10-11.2-2, R10-11.2-3, R10-4.6.3-3]", async () => {
    const name = caller.version === "1.0" ? "a2a-extensions" : "x-a2a-extensions";
    const asked = `urn:unknown:ext, ${COST},urn:agent-service:a2a:ext:stream-cursor-v1`;
    for (const spelled of [name, name.toUpperCase()]) {
      const { headers } = await caller.ask("send", good(), { [spelled]: asked });
      expect(headers.get(name)).toBe(`${COST}, urn:agent-service:a2a:ext:stream-cursor-v1`);
    }
    const streamed = await fetch(caller.request("stream", good(), { [name]: COST }));
    expect(streamed.headers.get(name)).toBe(COST);
    await streamed.text();
    expect((await caller.ask("send", good())).headers.get(name)).toBeNull();
  });

  it("gets no other version of an extension than the one it asks for [R10-4.6.3-3, R10-4.6.3-5]", async () => {
    const headers = { "a2a-extensions": "urn:agent-service:a2a:ext:cost-v2", "x-a2a-extensions": "" };
    const answer = await caller.ask("send", good(), headers);
    expect(textOf(answer.result)).toBe("x");
    expect([answer.headers.get("a2a-extensions"), answer.headers.get("x-a2a-extensions")]).toEqual([null, null]);
  });

  it("that uses an extension wrongly is refused [R10-T:ext-2]", async () => {
    for (const key of ["", "k".repeat(256), 7]) {
      const { error } = await caller.say({ text: "/say x", metadata: { idempotencyKey: key } });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("Idempotency-Key") });
    }
    const { error } = await caller.ask("subscribe", { id: "x" }, { "last-event-id": "last" });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("Last-Event-ID") });
  });

  it("in an unserved version gets the served ones [R10-3.6.2-2, DEV-newer-codes]", async () => {
    for (const version of ["2.0", "1.1", "0.2.6", "1", "latest"]) {
      const { error } = await caller.ask("get", { id: "x" }, { "a2a-version": version });
      expect([version, error?.code]).toEqual([version, -32009]);
      expect(JSON.stringify(error)).toContain(version);
    }
  });

  it("may name a patch of its version, which changes nothing [R10-3.6-2]", async () => {
    const patched = { "a2a-version": caller.version === "1.0" ? "1.0.7" : "0.3.9" };
    expect(textOf((await caller.ask("send", good(), patched)).result)).toBe("x");
  });
});

describe.each(callers.filter(({ version }) => version === "1.0"))(
  "protobuf's own names in 1.0 over $binding",
  (caller) => {
    it("are read too, in bodies and queries, and never written (A19)", async () => {
      const { messageId: message_id, ...message } = caller.params({ text: "/wait 60000" }).message;
      const sent = await caller.ask("send", {
        message: { ...message, message_id, context_id: `snakes over ${caller.binding}` },
        configuration: { return_immediately: true, history_length: 0 },
      });
      const { result: task } = sent;
      expect([stateOf(task), task.contextId]).toEqual(["working", `snakes over ${caller.binding}`]);
      expect(task).not.toHaveProperty("history");
      const got = await caller.ask("get", { id: task.id, history_length: 0 });
      expect(got.result).not.toHaveProperty("history");
      expect(JSON.stringify([sent.body, got.body])).not.toMatch(/"\w+_\w+":/);
      await caller.ask("cancel", { id: task.id });
    });
  },
);

describe("versions of JSON-RPC requests", () => {
  const post = async (method: string, params: Json, version?: string): Promise<Json> => {
    const response = await fetch(`${running.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(version !== undefined && { "a2a-version": version }) },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    // What 0.3 answers to a stream that is refused is one event.
    return JSON.parse((await response.text()).replace(/^data: /, "")) as Json;
  };
  const old = [
    "message/send",
    "message/stream",
    "tasks/get",
    "tasks/cancel",
    "tasks/resubscribe",
    "agent/getAuthenticatedExtendedCard",
    "tasks/pushNotificationConfig/set",
    "tasks/pushNotificationConfig/get",
    "tasks/pushNotificationConfig/list",
    "tasks/pushNotificationConfig/delete",
  ];
  const current = [
    "SendMessage",
    "SendStreamingMessage",
    "GetTask",
    "ListTasks",
    "CancelTask",
    "SubscribeToTask",
    "GetExtendedAgentCard",
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
  ];

  it("have methods of their own, and no other's [R10-3.6.2-1, R03-3.5.1-1]", async () => {
    for (const [version, own, others] of [
      ["0.3", old, current],
      ["1.0", current, old],
    ] as const) {
      for (const method of own) expect((await post(method, [], version)).error?.code, method).not.toBe(-32601);
      for (const method of others) expect((await post(method, {}, version)).error.code, method).toBe(-32601);
    }
    for (const method of old) expect(method).toMatch(/^[a-z]+(\/[a-zA-Z]+)+$/);
  });

  it("are 0.3 where none is named or it is empty [R10-3.6.2-3]", async () => {
    const params = { message: { role: "user", parts: [{ text: "/say old" }] } };
    for (const version of [undefined, ""]) {
      expect(await post("message/send", params, version)).toMatchObject({ result: { kind: "task" } });
      expect((await post("SendMessage", params, version)).error.code).toBe(-32601);
    }
  });

  it("may be in the query [R10-3.6.2-1]", async () => {
    const response = await fetch(`${running.url}/a2a?A2A-Version=1.0`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } }),
    });
    expect(await response.json()).toMatchObject({ error: { code: -32001 } });
  });
});

describe.each(["0.3", "1.0"])("the JSON-RPC envelope in %s", (version) => {
  const method = version === "0.3" ? "tasks/get" : "GetTask";
  const post = async (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${running.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": version, ...headers },
      body,
    });
  const call = (fields: Json): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { id: "x" }, ...fields });

  it("repeats the id of the request, in value and type, in results, errors and streams [R10-9.3-1, R03-6.11.1-2, R03-6.11.2-1, R03-6.11.2-2]", async () => {
    const send = speakersTo(running.url)
      .find((one) => one.version === version)!
      .params({ text: "/say x" });
    const [sending, streaming] =
      version === "0.3" ? ["message/send", "message/stream"] : ["SendMessage", "SendStreamingMessage"];
    for (const id of [0, -1, 1.5, 9007199254740991, "", "a", "1", 'quo"te\\', "😀", null]) {
      for (const fields of [{}, { method: sending, params: send }, { method: "nope" }]) {
        const answer = (await (await post(call({ id, ...fields }))).json()) as Json;
        expect([answer.jsonrpc, answer.id]).toEqual(["2.0", id]);
      }
      const events = await (await post(call({ id, method: streaming, params: send }))).text();
      for (const [, json = ""] of events.matchAll(/^data: (.*)$/gm)) expect(JSON.parse(json).id).toEqual(id);
    }
  });

  it("holds a result or an error, never both, under HTTP 200 and application/json [R03-6.11.2-4, R03-6.11.2-5, R03-7-1, R03-3.2.1-1, R03-3.2.1-2, R03-3.2.1-3, R03-11.1.5-1]", async () => {
    const caller = speakersTo(running.url).find((one) => one.version === version)!;
    const { result: task } = await caller.say({ text: "/say x" });
    for (const [body, field] of [
      [call({ params: { id: task.id } }), "result"],
      [call({}), "error"],
      [call({ params: {} }), "error"],
    ] as const) {
      const response = await post(body);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      const answer = (await response.json()) as Json;
      expect(Object.keys(answer).sort()).toEqual([field, "id", "jsonrpc"].sort());
      if (field === "error")
        expect(answer.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
      if (version === "0.3") {
        expect(misfits03(field === "error" ? "JSONRPCErrorResponse" : "GetTaskSuccessResponse", answer)).toEqual([]);
      }
    }
  });

  it("is refused where it is none, under the id if it could be read, else under null [R10-9.3-1, R03-6.11.1-1, R03-6.11.2-3, R03-11.1.5-3, DEV-batch]", async () => {
    const cases: readonly [string, number, unknown][] = [
      ["{", -32700, null],
      ["", -32700, null],
      ["[]", -32600, null],
      [`[${call({})}]`, -32600, null],
      ['"text"', -32600, null],
      [call({ jsonrpc: "1.0" }), -32600, 1],
      [call({ jsonrpc: "2.00" }), -32600, 1],
      [call({ jsonrpc: undefined }), -32600, 1],
      [call({ method: 7 }), -32600, 1],
      [call({ id: {} }), -32600, null],
      [call({ method: "tasks/nothing" }), -32601, 1],
      [call({ params: "x" }), -32602, 1],
    ];
    for (const [body, code, id] of cases) {
      const answer = (await (await post(body)).json()) as Json;
      expect([body, answer.error.code, answer.id]).toEqual([body, code, id]);
      if (version === "0.3") expect(misfits03("JSONRPCErrorResponse", answer)).toEqual([]);
    }
  });

  it("is JSON in application/json or application/a2a+json; else 415 with a detail [R03-3.2.1-3, DEV-detail]", async () => {
    for (const type of ["application/json; charset=utf-8", "application/a2a+json", "APPLICATION/JSON"]) {
      expect((await post(call({}), { "content-type": type })).status, type).toBe(200);
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      const response = await post(call({}), { "content-type": type });
      expect([response.status, await response.json()]).toEqual([415, { detail: expect.any(String) }]);
    }
  });
});

describe("HTTP+JSON", () => {
  const json = { "content-type": "application/json" };
  const newest = { "a2a-version": "1.0" };
  const rest = callers.find(({ version, binding }) => version === "1.0" && binding === "HTTP+JSON")!;
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(running.url + path, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };

  it("reads what GET asks for from path and query, in camelCase, decoded [R10-11.5-1, R10-11.5-2, R10-11.5-4]", async () => {
    const { result: task } = await rest.say({ text: "/say x" });
    const without = await ask("GET", `/a2a/tasks/${task.id}?historyLength=0`, newest);
    expect(without.body).toEqual({ ...task, history: undefined });
    const encoded = [...task.id].map((letter: string) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    expect((await ask("GET", `/a2a/tasks/${encoded}?A2A-Version=1.0`)).body).toEqual(task);
    const odd = await ask("GET", `/a2a/tasks/${encodeURIComponent("a b/ü?:c")}`, newest);
    expect(odd).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining("a b/ü?:c") } } });
    for (const wrong of ["-1", "some", "1e3", ""]) {
      expect((await ask("GET", `/a2a/tasks/${task.id}?historyLength=${wrong}`, newest)).status).toBe(400);
    }
  });

  it("takes what is nested in the body of a POST [R10-11.5-3]", async () => {
    const { result: task } = await rest.say({ text: "/wait 60000", wait: false });
    const body = JSON.stringify({ metadata: { why: { reason: ["enough"] } } });
    const canceled = await ask("POST", `/a2a/tasks/${task.id}:cancel`, { ...newest, ...json }, body);
    expect([canceled.status, stateOf(canceled.body)]).toEqual([200, "canceled"]);
  });

  it("answers each path by its methods, 0.3 below /v1, with a slash at the end or none [R03-3.2.3-1, R03-3.2.3-2, R03-3.2.3-3, R03-3.5.3-1, DEV-rest-0-3]", async () => {
    const message = { role: "user", parts: [{ text: "/say x" }] };
    for (const slash of ["", "/"]) {
      const post = (path: string, input: Json) => ask("POST", path + slash, json, JSON.stringify(input));
      const { status, body } = await post("/v1/message:send", { message });
      expect([status, body.task.kind]).toEqual([200, "task"]);
      const { id } = body.task;
      expect((await ask("GET", `/v1/tasks/${id}${slash}`)).body).toEqual(body.task);
      expect((await post(`/v1/tasks/${id}:cancel`, {})).body).toEqual(body.task);
      expect((await ask("GET", `/v1/card${slash}`)).body).toMatchObject({ protocolVersion: "0.3.0" });
      for (const [method, path] of [
        ["POST", `/v1/tasks/${id}:subscribe`],
        ["GET", `/v1/tasks/${id}:subscribe`],
      ] as const) {
        const response = await fetch(running.url + path + slash, { method, headers: method === "POST" ? json : {} });
        expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
        await response.text();
      }
      for (const [method, path] of [
        ["GET", "/v1/message:send"],
        ["DELETE", `/v1/tasks/${id}`],
        ["PUT", `/a2a/tasks/${id}`],
        ["POST", "/v1/card"],
      ] as const) {
        const refused = await ask(method, path + slash, json);
        expect([path, refused.status, refused.body]).toMatchObject([path, 405, { detail: expect.any(String) }]);
      }
    }
  });

  it("has the outcome as status, in JSON [R03-3.2.3-4, R03-3.2.3-5, R03-3.2.3-8, DEV-detail]", async () => {
    const { body } = await ask(
      "POST",
      "/v1/message:send",
      json,
      '{"message":{"role":"user","parts":[{"text":"/say x"}]}}',
    );
    const cases: readonly [string, string, string | undefined, number, number | undefined][] = [
      ["GET", `/v1/tasks/${body.task.id}`, undefined, 200, undefined],
      ["GET", "/v1/tasks/nope", undefined, 404, -32001],
      ["POST", "/v1/message:send", "{", 400, -32700],
      ["POST", "/v1/message:send", "{}", 400, -32602],
      ["POST", "/v1/tasks/nope:cancel", "{}", 404, -32001],
      ["GET", "/v1/nothing", undefined, 404, undefined],
    ];
    for (const [method, path, text, status, code] of cases) {
      const answer = await ask(method, path, json, text);
      expect([path, answer.status, answer.body.code]).toEqual([path, status, code]);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
    const typed = await ask("POST", "/a2a/message:send", { ...newest, "content-type": "text/plain" }, "{}");
    expect([typed.status, typed.body]).toEqual([415, { detail: expect.any(String) }]);
    const a2a = { ...newest, "content-type": "application/a2a+json" };
    const taken = await ask("POST", "/a2a/message:send", a2a, JSON.stringify(rest.params({ text: "/say x" })));
    expect(taken.status).toBe(200);
  });
});
