/** What peers cannot take from the operator, however much they ask for (docs/decisions/shares-per-class.md). */
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, textOf, textParams, type WaitingTool, waitingTool } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };
const AT_ONCE = { configuration: { blocking: false } };
const MIB = 1024 * 1024;
const CONFIG = `
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
limits: { max_running_turns: 4, max_queued_turns: 8 }
`;

let running: TestService;
let hold: WaitingTool;
beforeEach(async () => {
  hold = waitingTool();
  running = await startTestService({
    config: CONFIG,
    tools: [hold.tool],
    bounds: { maxHeldBytes: 32 * MIB, maxBodyBytes: 128 * MIB, maxStreams: 8, maxBegunTurns: 12 },
  });
});
afterEach(async () => {
  hold.release();
  await running.stop({ graceMs: 0 });
});

/** Sends the same until it is refused; the accepted tasks, and the refusal. */
async function untilRefused(text: string): Promise<{ ids: string[]; status: number; retryAfter: number; body: Json }> {
  const ids: string[] = [];
  for (;;) {
    const answer = await running.wireAs(PEER).answer("message/send", textParams(text, {}, AT_ONCE));
    const { status, headers, body } = answer;
    if (status !== 200) return { ids, status, retryAfter: Number(headers.get("retry-after")), body };
    ids.push(body.result.id);
    if (ids.length > 100) throw new Error("nothing was refused");
  }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${running.url}/metrics`)).text();
  return Number(new RegExp(`^protoagent_${name} (\\S+)$`, "m").exec(text)?.[1]);
}

async function load(): Promise<Json> {
  const response = await fetch(`${running.url}/api/runtime/status`, { headers: OPERATOR });
  return ((await response.json()) as Json).load;
}

/** The operator is answered, by a turn with a tool and one without. */
async function operatorIsServed(): Promise<void> {
  const operator = running.wireAs(OPERATOR);
  expect(textOf(await operator.say("/say served"))).toBe("served");
  const sum = await operator.say('/call calculator {"expression":"6*7"}\n/then\n/say done');
  expect([sum.status.state, textOf(sum)]).toEqual(["completed", "done"]);
}

describe("messages of a peer that fill the memory there is for tasks", () => {
  const large = `/wait 600000\n${"x".repeat(MIB)}`;

  it("are refused beyond its share, one after the other or all at once, and the operator's are not", async () => {
    const all = await Promise.all(
      Array.from({ length: 14 }, () => running.wireAs(PEER).answer("message/send", textParams(large, {}, AT_ONCE))),
    );
    const accepted = all.filter(({ status }) => status === 200);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]));
    // A quarter of 32 MiB; a message counts four times its length, and one may go beyond.
    expect(accepted.length).toBeLessThanOrEqual(3);
    const { ids, status, retryAfter, body } = await untilRefused(large);
    expect([ids, status, body.error.code]).toEqual([[], 429, -32603]);
    expect(retryAfter).toBeGreaterThan(0);
    const own = await running.wireAs(OPERATOR).result("message/send", textParams(large, {}, AT_ONCE));
    expect(own.status.state).toBe("working");
    await operatorIsServed();
    for (const { body: answer } of accepted)
      await running.wireAs(OPERATOR).result("tasks/cancel", { id: answer.result.id });
    expect(textOf(await running.wireAs(PEER).say("/say room again"))).toBe("room again");
  });

  it("are refused as steering of a working task, too", async () => {
    const { id } = await running.wireAs(PEER).result("message/send", textParams("/call waiting {}", {}, AT_ONCE));
    const steer = async (): Promise<number> => {
      const message = { taskId: id, messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: large }] };
      const params = { message, configuration: { returnImmediately: true } };
      const call = { headers: { "a2a-version": "1.0" } };
      return (await running.wireAs(PEER).answer("SendMessage", params, call)).status;
    };
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 20) statuses.push(await steer());
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeLessThan(8);
    await operatorIsServed();
  });

  it("are refused before they are read where too many are in progress, and the operator's are not", async () => {
    // Half sent, and then nothing more.
    const slowly = (headers: Json) => {
      const outgoing = request({
        ...{ host: "127.0.0.1", port: running.port, method: "POST", path: "/a2a" },
        headers: { ...headers, "content-type": "application/json", "content-length": 9 * MIB },
      });
      outgoing.on("error", () => {});
      const status = new Promise<number>((resolve) =>
        outgoing.on("response", (incoming) => resolve(incoming.statusCode ?? 0)),
      );
      outgoing.write('{"jsonrpc"');
      return { outgoing, status };
    };
    // An eighth of 128 MiB: one of 9 MiB, and not two.
    const pending = [slowly(PEER), slowly(PEER)];
    expect(await Promise.race(pending.map(({ status }) => status))).toBe(503);
    const small = await running.wireAs(PEER).answer("message/send", textParams("/say small"));
    const chunked = await fetch(`${running.url}/a2a`, {
      ...{ method: "POST", headers: { ...PEER, "content-type": "application/json" }, duplex: "half" },
      body: new Blob([Buffer.alloc(8 * MIB, " ")]).stream(),
    } as RequestInit);
    expect([small.status, chunked.status]).toEqual([200, 503]);
    const own = await running.wireAs(OPERATOR).result("message/send", textParams(`/say a\n${"x".repeat(5 * MIB)}`));
    expect(own.status.state).toBe("completed");
    for (const { outgoing } of pending) outgoing.destroy();
    // Not JSON, so it is no task; it is read, where there is room.
    const again = async (): Promise<number> => {
      const init = { method: "POST", headers: { ...PEER, "content-type": "application/json" } };
      return (await fetch(`${running.url}/a2a`, { ...init, body: Buffer.alloc(9 * MIB, " ") })).status;
    };
    await expect.poll(again).toBe(200);
  });
});

describe("long turns of a peer with many behind them", () => {
  it("that run tools leave half of the running turns to the operator, and half of the queue", async ({ task }) => {
    const { ids, status, retryAfter, body } = await untilRefused("/call waiting {}\n/then\n/say held");
    // Two work and four wait.
    expect([ids.length, status, body.error.code]).toEqual([6, 429, -32603]);
    expect(retryAfter).toBeGreaterThan(0);
    await operatorIsServed();
    const known = await running.wireAs(OPERATOR).answer("tasks/list", {});
    expect(known.status).toBe(200);
    const { peers } = await load();
    task.meta.bounds = [
      { what: "turns at work of peers, of all", found: (100 * peers.running) / 4, most: 50, unit: "%" },
      { what: "turns that wait of peers, of all", found: (100 * peers.waiting) / 8, most: 50, unit: "%" },
    ];
    expect(await load()).toMatchObject({ running: 2, waiting: 4, peers: { running: 2, waiting: 4 } });
    expect((await load()).oldest_wait_seconds).toBeGreaterThanOrEqual(0);
    expect([await metric("turns_running"), await metric("turns_working"), await metric("turns_waiting")]).toEqual([
      2, 2, 4,
    ]);
    expect(await metric("turns_oldest_wait_seconds")).toBeGreaterThanOrEqual(0);
    hold.release();
    for (const id of ids) {
      const end = async () => (await running.wireAs(PEER).result("tasks/get", { id })).status.state;
      await expect.poll(end).toBe("completed");
    }
    expect(await load()).toMatchObject({ running: 0, waiting: 0, oldest_wait_seconds: 0 });
  });

  it("that wait for their model leave half of the turns that may have begun to the operator", async () => {
    const { ids, status } = await untilRefused("/wait 600000");
    expect([ids.length, status]).toEqual([10, 429]);
    await operatorIsServed();
    expect(await load()).toMatchObject({ running: 6, working: 0, waiting: 4 });
  });
});

describe("streams of a peer", () => {
  it("take half of the streams, and the console and the operator have theirs", async ({ task }) => {
    const peer = running.wireAs(PEER);
    const open = [];
    for (let i = 0; i < 4; i++) open.push(await peer.stream("message/stream", textParams("/wait 600000")));
    const refused = await peer.answer("message/stream", textParams("/say x"));
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([503, 5]);
    task.meta.bounds = [{ what: "streams of peers, of all", found: (100 * open.length) / 8, most: 50, unit: "%" }];
    const chat = { model: "protoagent", stream: true, messages: [{ role: "user", content: "/say x" }] };
    const headers = { ...PEER, "content-type": "application/json" };
    const completion = await fetch(`${running.url}/v1/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify(chat),
    });
    expect(completion.status).toBe(503);
    const stop = new AbortController();
    const events = await fetch(`${running.url}/api/events`, { headers: OPERATOR, signal: stop.signal });
    expect(events.status).toBe(200);
    const own = await running.wireAs(OPERATOR).stream("message/stream", textParams("/say streamed"));
    expect((await own.rest()).at(-1)?.frame.status.state).toBe("completed");
    stop.abort();
    for (const stream of open) await stream.close();
  });
});
