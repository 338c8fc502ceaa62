/** Goals on the running service, as an operator and the agent meet them. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { mirrorName } from "./goal-mirror.ts";

const folders = temporaryFolders();
let running: TestService;
const at = (name: string): string => join(folders.root, "app", name);

const config = (more = "") => `model: {name: "scripted:demo"}
goal: {max_iterations: 4, no_progress_limit: 2${more}}
projects:
  - {name: app, path: "${folders.root}/app", write: true}
`;

beforeAll(async () => {
  mkdirSync(join(folders.root, "app"), { recursive: true });
  folders.configure(config());
  running = await startTestService({ folders, env: { GOAL_PATH: join(folders.root, "copies") } });
});
afterAll(async () => {
  await running?.stop();
  folders.remove();
});

async function call(
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/api${path}`, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const goalOf = async (session: string): Promise<Json> => (await call("GET", `/goals/${session}`)).body.goal as Json;
const ended = (session: string) => expect.poll(async () => (await goalOf(session)).status as string);

test("a failing check of a project's folder is driven until it passes; each drive, verdict and cost is in the timeline", async () => {
  writeFileSync(at("state.txt"), "broken");
  const check = {
    type: "command",
    command: 'read -r state < state.txt; printf %s "$state"; [ "$state" = mended ]',
    pin: ["guard.txt"],
  };
  writeFileSync(at("guard.txt"), "guard");
  const set = await call("POST", "/goals", {
    ...{ session_id: "cart", condition: "The state is mended", verifier: check, project: "app" },
    ...{
      outcome: "It says mended",
      constraints: ["Only state.txt"],
      max_iterations: 5,
      no_progress_limit: 9,
      kick: false,
    },
  });
  expect(set).toMatchObject({
    status: 200,
    body: {
      ...{ ok: true, kicked: false },
      goal: {
        ...{ session_id: "cart", status: "active", phase: "paused", paused: "kick", project: "app", iteration: 0 },
        ...{ max_iterations: 5, no_progress_limit: 9, outcome: "It says mended", budget: null, history: [] },
        ...{ spent: { usd: 0, tokens: 0 }, created_by: "operator", finished_at: null, drive_task_id: null },
      },
    },
  });
  expect(await call("POST", "/goals/cart/resume")).toEqual({ status: 200, body: { ok: true, kicked: true } });
  await expect.poll(async () => (await goalOf("cart")).iteration as number).toBeGreaterThan(0);
  writeFileSync(at("state.txt"), "mended");
  await ended("cart").toBe("met");
  const goal = await goalOf("cart");
  expect(goal).toMatchObject({
    phase: "ended",
    paused: null,
    last_evidence: "mended",
    finished_at: expect.any(String),
  });
  expect(goal.history.at(-1)).toMatchObject({ status: "met", evidence: "mended" });
  const { events } = (await call("GET", "/goals/cart/timeline?limit=200")).body as { events: Json[] };
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.slice(0, 2)).toEqual(["ended", "verdict"]);
  expect(kinds.slice(-3)).toEqual(["drive", "resumed", "set"]);
  const drive = await running.service.core.tasks.get(events.at(-3)!.task_id as string);
  expect(drive!.view).toMatchObject({ context: "cart", origin: "goal", state: "completed" });
  expect(events[1]).toMatchObject({ met: true, status: "met", tokens: expect.any(Number) });
  // There is a notice of its end, and its turns are counted by their origin (G27).
  const { entries } = (await call("GET", "/activity")).body as { entries: Json[] };
  const own = entries.filter(({ trigger }) => trigger === `goal:${goal.id as string}`);
  expect(own).toMatchObject([{ origin: "goal", text: expect.stringContaining("met"), state: "completed" }]);
  const turnsOf = async () => (await call("GET", "/telemetry/recent?limit=50")).body.turns as Json[];
  await expect.poll(turnsOf).toContainEqual(expect.objectContaining({ task_id: drive!.view.id, origin: "goal" }));
  const copies = join(folders.root, "copies");
  await expect.poll(() => JSON.parse(readFileSync(join(copies, "cart.json"), "utf8")).status as string).toBe("met");
  expect(statSync(join(copies, "cart.json")).mode & 0o777).toBe(0o600);
});

test("a pinned file that was changed makes the verdict tampered, whatever the check says", async () => {
  writeFileSync(at("guard.txt"), "assert");
  await call("POST", "/goals", {
    ...{ session_id: "tamper", condition: "c", kick: false },
    verifier: { type: "command", command: "true", pin: ["guard.txt"] },
  });
  writeFileSync(at("guard.txt"), "nothing");
  await call("POST", "/goals/tamper/resume");
  await ended("tamper").toBe("unachievable");
  expect(await goalOf("tamper")).toMatchObject({ last_reason: "tampered: guard.txt", no_progress_streak: 2 });
});

test("without a check a model judges; the scripted one cannot, and says so", async () => {
  const set = await call("POST", "/goals", { session_id: "judged", condition: "A poem is written" });
  expect(set.body).toMatchObject({ kicked: true, goal: { verifier: { type: "llm" }, max_iterations: 4 } });
  await ended("judged").toBe("unachievable");
  expect((await goalOf("judged")).last_reason).toContain("scripted model cannot judge");
});

test.each([
  ["no condition", { condition: undefined }, 400],
  ["a blank condition", { condition: "  " }, 400],
  ["an unknown type", { verifier: { type: "magic" } }, 400],
  ["a command without its command", { verifier: { type: "command" } }, 400],
  ["a verifier there is not", { verifier: "core:none" }, 400],
  ["a path that escapes", { verifier: { type: "data", path: "../x", contains: "y" } }, 400],
  ["a pin that is missing", { verifier: { type: "command", command: "true", pin: ["none"] } }, 400],
  ["a project there is not", { verifier: { type: "command", command: "true" }, project: "none" }, 400],
  ["no iterations", { max_iterations: 0 }, 422],
  ["half an iteration", { max_iterations: 1.5 }, 422],
  ["too many", { max_iterations: 1_001 }, 422],
  ["a limit of progress out of its bounds", { no_progress_limit: 101 }, 422],
  ["no session", { session_id: "" }, 422],
  ["a budget, which is not built", { budget: { usd: 1 } }, 422],
  ["a condition of 2 MB", { condition: "x".repeat(2_000_000) }, 422],
])("%s is refused, and the goal there was stays", async (_what, wrong, status) => {
  const body = { session_id: "wrong", condition: "c", verifier: { type: "command", command: "true" }, kick: false };
  await call("POST", "/goals", body);
  const before = await goalOf("wrong");
  expect((await call("POST", "/goals", { ...body, ...wrong })).status).toBe(status);
  expect(await goalOf("wrong")).toEqual(before);
});

test("a request under one key sets and rearms once; unknown goals are answered as such", async () => {
  const body = {
    session_id: "keyed",
    condition: "c",
    verifier: { type: "command", command: "false" },
    max_iterations: 1,
  };
  const first = await call("POST", "/goals", body, "k1");
  expect((await call("POST", "/goals", body, "k1")).body.goal.id).toBe(first.body.goal.id);
  await ended("keyed").toBe("exhausted");
  expect((await call("POST", "/goals/keyed/resume")).status).toBe(400);
  expect(await call("POST", "/goals/keyed/rearm", { add_iterations: 1 }, "k2")).toMatchObject({
    status: 200,
    body: { ok: true, resumed: true, kicked: true },
  });
  await ended("keyed").toBe("unachievable");
  await call("POST", "/goals", { ...body, kick: false });
  expect((await call("POST", "/goals/keyed/rearm", {})).status).toBe(400);
  expect((await call("POST", "/goals/keyed/rearm", { add_iterations: 1_000 })).status).toBe(422);
  expect((await call("POST", "/goals/none/rearm", {})).status).toBe(404);
  expect((await call("POST", "/goals/none/resume")).status).toBe(400);
  expect((await call("GET", "/goals/none/timeline")).status).toBe(404);
  expect((await call("GET", "/goals/none")).body).toEqual({ enabled: true, goal: null, plan: "" });
  expect((await call("DELETE", "/goals/none")).body).toEqual({ cleared: false, tasks_closed: 0 });
});

test("clearing closes the session's open issues where that is asked, and takes the copies away", async () => {
  await call("POST", "/goals", {
    session_id: "tidy",
    condition: "c",
    verifier: { type: "command", command: "true" },
    kick: false,
  });
  const odd = "a/b c";
  const check = { type: "plugin", check: "core:task", args: { task_id: "t" } };
  await call("POST", "/goals", { session_id: odd, condition: "c", verifier: check, kick: false });
  await running.service.core.features.goal.goals.plan(odd, "1. Tidy up", { outside: false });
  const copy = join(folders.root, "copies", mirrorName(odd));
  await expect.poll(() => existsSync(`${copy}.plan.md`)).toBe(true);
  expect(mirrorName(odd)).toMatch(/^[0-9a-f]{64}$/);
  const { issues } = running.service.core.features.board;
  await issues.create({ title: "Tidy", session: odd });
  const other = await issues.create({ title: "Other", session: "elsewhere" });
  const cleared = await call("DELETE", `/goals/${encodeURIComponent(odd)}?close_tasks=true`);
  expect(cleared.body).toEqual({ cleared: true, tasks_closed: 1 });
  expect((await issues.get(other.id)).status).toBe("open");
  await expect.poll(() => existsSync(`${copy}.json`) || existsSync(`${copy}.plan.md`)).toBe(false);
});

test("goals come in pages, newest first, and by their status", async () => {
  const all = (await call("GET", "/goals?limit=500")).body as { goals: Json[]; enabled: boolean };
  expect(all.enabled).toBe(true);
  const first = (await call("GET", "/goals?limit=2")).body as { goals: Json[]; next_cursor: string };
  const rest = (await call("GET", `/goals?limit=500&cursor=${first.next_cursor}`)).body as { goals: Json[] };
  expect([...first.goals, ...rest.goals].map(({ id }) => id)).toEqual(all.goals.map(({ id }) => id));
  const met = (await call("GET", "/goals?status=met")).body as { goals: Json[] };
  expect(met.goals.map(({ session_id }) => session_id)).toEqual(["cart"]);
  expect((await call("GET", "/goals?status=won")).status).toBe(422);
  const { body } = await call("GET", "/runtime/status");
  expect(body).toMatchObject({
    features: { goals: { available: true, enabled: true } },
    autonomy: { goals: expect.any(Number) },
  });
});

test("with goal.enabled false tools and /goal are gone, POST, rearm and resume are 503, and what is active pauses (G10)", async () => {
  const names = () => running.service.core.toolbox.names.filter((name) => name.includes("goal"));
  expect(names()).toEqual(["set_goal", "update_goal_plan", "abandon_goal"]);
  folders.configure(config(", enabled: false"));
  await expect.poll(names).toEqual([]);
  for (const [path, body] of [
    ["", { session_id: "x", condition: "c" }],
    ["/tidy/rearm", { add_iterations: 1 }],
    ["/tidy/resume", undefined],
  ] as const)
    expect((await call("POST", `/goals${path}`, body)).status).toBe(503);
  expect((await call("GET", "/goals")).body).toMatchObject({ enabled: false, goals: expect.any(Array) });
  expect((await call("DELETE", "/goals/tidy")).body).toEqual({ cleared: true, tasks_closed: 0 });
});
