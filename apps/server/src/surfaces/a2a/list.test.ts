/** ListTasks as callers of the service see it (A2A 1.0.1 3.1.4; A2, A5, A16). */
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk-v1/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const CONFIG = `
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
`;
const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG });
});
afterAll(() => running.stop());

type Headers = Readonly<Record<string, string>>;

async function call(method: string, params: object, headers: Headers = OPERATOR): Promise<Json> {
  const response = await fetch(`${running.url}/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as Json;
  return error ?? result;
}
const send = async (text: string, more: object = {}, headers?: Headers, configuration?: object): Promise<Json> => {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more };
  return (await call("SendMessage", { message, ...(configuration && { configuration }) }, headers)).task;
};
const ids = ({ tasks }: Json): string[] => tasks.map(({ id }: Json) => id);

describe("a list of the service's tasks", () => {
  it("is newest status first, whatever the states, and the same as reading each (R10-3.1.4-6, R10-3.1.4-8)", async () => {
    const contextId = "whole";
    const parked = await send('/call ask_human {"question":"Which city?"}', { contextId });
    const done = await send("hello", { contextId });
    const working = await send("/wait 60000", { contextId }, OPERATOR, { returnImmediately: true });
    const queued = await send("waits", { contextId }, OPERATOR, { returnImmediately: true });
    const list = await call("ListTasks", { contextId, includeArtifacts: true });
    expect(list).toMatchObject({ nextPageToken: "", pageSize: 50, totalSize: 4 });
    expect(new Set(ids(list))).toEqual(new Set([queued.id, working.id, done.id, parked.id]));
    const times = list.tasks.map(({ status }: Json) => Date.parse(status.timestamp));
    expect(times).toEqual([...times].sort((a: number, b: number) => b - a));
    for (const task of list.tasks.slice(2)) expect(task).toEqual(await call("GetTask", { id: task.id }));
    const inState = async (status: string) => new Set(ids(await call("ListTasks", { contextId, status })));
    expect(await inState("TASK_STATE_WORKING")).toEqual(new Set([working.id, queued.id]));
    expect(await inState("TASK_STATE_INPUT_REQUIRED")).toEqual(new Set([parked.id]));
    expect(await inState("TASK_STATE_COMPLETED")).toEqual(new Set([done.id]));
    expect(await inState("TASK_STATE_REJECTED")).toEqual(new Set());
    for (const { id } of [queued, working]) await call("CancelTask", { id });
    // Canceling them changed their status last.
    expect(ids(await call("ListTasks", { contextId, pageSize: 2 }))).toEqual([working.id, queued.id]);
    expect(await inState("TASK_STATE_CANCELED")).toEqual(new Set([working.id, queued.id]));
  });

  it("leaves artifacts out unless asked, and cuts histories (R10-3.1.4-1)", async () => {
    const contextId = "cut";
    await send("hello", { contextId });
    const [bare] = (await call("ListTasks", { contextId })).tasks;
    expect(Object.keys(bare)).not.toContain("artifacts");
    expect(bare.history).toHaveLength(1);
    const [bald] = (await call("ListTasks", { contextId, historyLength: 0, include_artifacts: true })).tasks;
    expect(Object.keys(bald)).not.toContain("history");
    expect(bald.artifacts).toHaveLength(1);
  });

  it("is paged, by cursors that are the service's own (R10-3.1.4-2, R10-3.1.4-3, R10-3.1.4-5)", async () => {
    const contextId = "pages";
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await send(`hello ${i}`, { contextId })).id);
    const first = await call("ListTasks", { contextId, pageSize: 2 });
    expect([ids(first), first.totalSize]).toEqual([made.slice(0, 2), 5]);
    await send("newer", { contextId });
    const second = await call("ListTasks", { contextId, pageSize: 2, pageToken: first.nextPageToken });
    expect(ids(second)).toEqual(made.slice(2, 4));
    const third = await call("ListTasks", { contextId, pageSize: 2, pageToken: second.nextPageToken });
    expect([ids(third), third.nextPageToken]).toEqual([made.slice(4), ""]);
    const foreign = await call("ListTasks", { contextId, pageToken: "bm9uc2Vuc2U" });
    expect([foreign.code, foreign.data[0].reason]).toEqual([-32602, "INVALID_PARAMS"]);
  });

  it("ends a page early where its tasks are long", async () => {
    const contextId = "long";
    const text = `hello ${"x".repeat(2.2 * 1024 * 1024)}`;
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.unshift((await send(text, { contextId })).id);
    const first = await call("ListTasks", { contextId });
    expect([ids(first), first.totalSize]).toEqual([made.slice(0, 2), 3]);
    const second = await call("ListTasks", { contextId, pageToken: first.nextPageToken });
    expect([ids(second), second.nextPageToken]).toEqual([made.slice(2), ""]);
    // What is not shown does not count.
    expect(ids(await call("ListTasks", { contextId, historyLength: 0 }))).toEqual(made);
  });

  it("shows a federation caller its own tasks only, and the operator all (A16, R10-3.1.4-4, R10-3.1.4-7, R10-13.1-4, R10-13.1-5)", async () => {
    const contextId = "shared";
    const theirs = await send("hello", { contextId }, PEER);
    const ours = await send("hello", { contextId });
    expect(ids(await call("ListTasks", { contextId }, PEER))).toEqual([theirs.id]);
    expect((await call("ListTasks", {}, PEER)).totalSize).toBe(1);
    expect(ids(await call("ListTasks", { contextId }))).toEqual([ours.id, theirs.id]);
    expect((await fetch(`${running.url}/a2a/tasks`)).status).toBe(401);
  });

  it("is had over HTTP+JSON in both versions, with or without a slash at the end (A2)", async () => {
    const contextId = "rest";
    const task = await send("hello", { contextId });
    const get = async (path: string, headers: Headers): Promise<Json> =>
      (await fetch(running.url + path, { headers: { ...OPERATOR, ...headers } })).json();
    const V1 = { "a2a-version": "1.0" };
    for (const path of ["/a2a/tasks", "/a2a/tasks/"]) {
      const page = await get(`${path}?contextId=${contextId}&includeArtifacts=true`, V1);
      expect(page).toEqual({ tasks: [task], nextPageToken: "", pageSize: 50, totalSize: 1 });
    }
    for (const path of ["/a2a/tasks", "/v1/tasks", "/v1/tasks/"]) {
      const page = await get(`${path}?contextId=${contextId}&status=completed`, {});
      expect(page).toMatchObject([{ kind: "task", id: task.id, status: { state: "completed" } }]);
    }
    const since = encodeURIComponent(new Date(Date.parse(task.status.timestamp) + 1).toISOString());
    const later = await get(`/a2a/tasks?contextId=${contextId}&statusTimestampAfter=${since}`, V1);
    expect(later.tasks).toEqual([]);
  });

  it("is read by the official 1.x client", async () => {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", OPERATOR.authorization);
      return fetch(input, { ...init, headers });
    };
    const sdk = await new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }).createFromUrl(running.url);
    const contextId = "sdk";
    await send("one", { contextId });
    const newer = await send("two", { contextId });
    const list = await sdk.listTasks({
      tenant: "",
      contextId,
      status: 0,
      pageSize: 1,
      pageToken: "",
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    });
    expect(list.tasks.map(({ id }) => id)).toEqual([newer.id]);
    expect([list.totalSize, list.pageSize, list.nextPageToken !== ""]).toEqual([2, 1, true]);
  });
});
