/** Events of changes, for subscribers (O7, S3, S7). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EVENT_TOPICS } from "@agent-service/operator-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EventFollower, followEvents, streamReader, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const TOKEN = "the-operators-token";
const CONFIG = `
providers: [{ id: main, type: scripted }]
model: { name: "main:demo" }
auth: { token: ${TOKEN} }
`;
const operator = { authorization: `Bearer ${TOKEN}` };

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, bounds: { keepAliveMs: 20 } });
});
afterAll(() => running.stop());

async function publish(body: unknown, headers: { readonly [name: string]: string } = operator) {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(`${running.url}/api/events/publish`, { ...init, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { detail?: unknown } };
}

const follow = (headers: { readonly [name: string]: string } = operator, query = ""): Promise<EventFollower> =>
  followEvents(running.url, { headers }, query);

describe("GET /api/events", () => {
  it("reports a turn from its start to its end, and resumes after any event", async () => {
    const all = await follow();
    expect(all.text).toMatch(/^: events\nretry: 2000\nid: \d+-\d+\n\n$/);
    const asked = await running.wireAs(operator).say("/call current_time {}");
    expect(textOf(asked)).not.toBe("");
    const finished = await all.until(({ topic }) => topic === "turn.finished");
    await all.until(({ topic }) => topic === "session.changed");
    const turn = all.events.filter(({ topic }) => topic.startsWith("turn."));
    expect(turn.map(({ topic }) => topic)).toEqual([
      ...["turn.started", "turn.progress", "turn.progress", "turn.progress", "turn.progress", "turn.finished"],
    ]);
    const { seq, data, id } = finished;
    // The first event of the stream need not be the turn's.
    const { task_id, session_id } = turn[0]!.data;
    expect(data).toMatchObject({ task_id, session_id, class: "operator", origin: "a2a", state: "completed", ok: true });
    expect(data).toMatchObject({ input_tokens: expect.any(Number), cost_usd: null, duration_ms: expect.any(Number) });
    expect([id, turn[2]!.data]).toEqual([
      expect.stringMatching(new RegExp(`^\\d+-${seq}$`)),
      { task_id, session_id, phase: "tool_start", tool: "current_time", tool_call_id: expect.any(String) },
    ]);
    const [first, ...later] = all.events;
    for (const [name, value] of [
      ["last-event-id", first!.id],
      ["x", "y"],
    ] as const) {
      const query = name === "x" ? `?since=${first!.id}` : "?since=0-0";
      const resumed = await follow({ ...operator, [name]: value }, query);
      await resumed.until((event) => event.id === later.at(-1)!.id);
      expect(resumed.events.slice(0, later.length)).toEqual(later);
      await resumed.close();
    }
    const old = await follow(operator, "?since=1-99");
    expect((await old.until(() => true)).topic).toBe("stream.gap");
    await Promise.all([old.close(), all.close()]);
  });

  it("shows to others the public part of activity and inbox alone (S3)", async () => {
    const data = { id: "m-1", origin: "webhook", priority: "now", state: "queued", text: `read ${TOKEN}` };
    const strangers = await Promise.all([follow({}), follow({ authorization: "Bearer wrong" })]);
    const known = await follow();
    for (const topic of ["inbox.added", "build.finished", "activity.message"]) {
      expect(await publish({ topic, data })).toEqual({ status: 200, body: { ok: true } });
    }
    await known.until(({ topic }) => topic === "activity.message");
    expect(known.events.map(({ data: shown }) => shown)).toEqual(Array(3).fill({ ...data, text: "read ***" }));
    for (const stranger of strangers) {
      await stranger.until(({ topic }) => topic === "activity.message");
      const { text: _, ...shown } = data;
      expect(stranger.events.map(({ topic, data: seen }) => [topic, seen])).toEqual([
        ["inbox.added", shown],
        ["activity.message", shown],
      ]);
      expect(stranger.text).not.toContain("read ");
    }
    await Promise.all([known, ...strangers].map((one) => one.close()));
  });

  it("reports settings that take effect and those that are refused", async () => {
    const all = await follow();
    running.folders.configure(`${CONFIG}identity: { org: Lab }\n`.replace("main:demo", "main:other"));
    expect(running.live.reload().ok).toBe(true);
    running.folders.configure(CONFIG.replace("auth: {", "auth: { bearer_typo: [1],"));
    running.folders.configure(`${CONFIG}egress: { allowed_hosts: 7 }\n`);
    expect(running.live.reload().ok).toBe(false);
    const rejected = await all.until(({ topic }) => topic === "config.rejected");
    expect(rejected.data.reason).toContain("egress.allowed_hosts");
    expect(all.events.map(({ topic, data }) => [topic, data.keys])).toEqual([
      ["config.changed", expect.arrayContaining(["model.name", "identity.org"])],
      ["model.changed", ["model.name"]],
      ["config.rejected", undefined],
    ]);
    const body = JSON.stringify({ soul: "You are terse." });
    const headers = { ...operator, "content-type": "application/json" };
    running.folders.configure(CONFIG);
    running.live.reload();
    expect((await fetch(`${running.url}/api/config`, { method: "POST", headers, body })).status).toBe(200);
    await all.until(({ topic, data }) => topic === "config.changed" && String(data.keys) === "soul");
    await all.close();
  });

  it("sends a comment when there is no event", async () => {
    const response = await fetch(`${running.url}/api/events`);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const stream = streamReader(response);
    const end = stream.next();
    await expect.poll(() => stream.comments).toBeGreaterThan(2);
    await stream.close();
    expect(await end).toBeUndefined();
  });
});

describe("POST /api/events/publish", () => {
  it("refuses what is no event", async () => {
    const statuses: unknown[] = [];
    for (const body of [
      ...["undotted", "build.*", "build.#", "stream.gap"].map((topic) => ({ topic, data: {} })),
      ...[[], "text", null, { text: "x".repeat(65_536) }, undefined].map((data) => ({ topic: "build.finished", data })),
      { data: {} },
    ]) {
      statuses.push((await publish(body)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 422, 422, 422, 413, 200, 422]);
  });

  it("is the operator's", async () => {
    expect((await publish({ topic: "a.b", data: {} }, {})).status).toBe(401);
  });
});

const root = fileURLToPath(new URL("../../../../..", import.meta.url));

/** Sources of the engine and the service, without tests. */
function sources(): string[] {
  return ["packages/agent-core/src", "apps/server/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|testing\//.test(file))
      .map((file) => readFileSync(join(root, folder, file), "utf8")),
  );
}

it("every topic that is published is documented, and every one that is documented is published", () => {
  const all = sources();
  const published = all.flatMap((source) =>
    [...source.matchAll(/(?:publish|tell)\(\s*"([a-z_]+(?:\.[a-z_]+)+)"/g)].map(([, topic]) => topic as string),
  );
  const documented = EVENT_TOPICS.map(({ topic }) => topic);
  expect(published.filter((topic) => !documented.includes(topic))).toEqual([]);
  const isPublished = (topic: string) => all.some((source) => source.includes(`"${topic}"`));
  expect(documented.filter((topic) => !isPublished(topic))).toEqual([]);
});
