/** Watches on the running service, as an operator and the agent meet them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
let running: TestService;
let page: Server;
let text = "soon";
let url: string;

beforeAll(async () => {
  page = createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
  mkdirSync(join(folders.root, "app"), { recursive: true });
  folders.configure(`model: {name: "scripted:demo"}
egress: {allowed_hosts: ["127.0.0.1"]}
projects:
  - {name: app, path: "${folders.root}/app", write: true}
`);
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running?.stop();
  await new Promise((resolve) => page.close(resolve));
  folders.remove();
});

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/api${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function checked(id: string): Promise<Json> {
  const { body } = await call("POST", `/watches/${id}/check`);
  await running.service.core.features.watch.watches.idle();
  return body.watch as Json;
}

async function say(text: string, context = "talk"): Promise<string> {
  const { answer } = await (await running.service.core.tasks.start({ context, text })).settled();
  return JSON.stringify(answer);
}

test("a page is watched until it holds a text; then a turn runs in the session, with the evidence", async () => {
  const made = await call("POST", "/watches", {
    ...{
      condition: "The notes are out",
      watch_id: "notes",
      check: "core:url",
      check_args: { url, contains: "out now" },
    },
    ...{ run_prompt: "Say that they are out.", run_session: "news", interval_s: 600, expires_in_s: 3_600 },
  });
  expect(made).toMatchObject({
    status: 200,
    body: {
      ok: true,
      watch: {
        ...{ id: "notes", status: "active", check: "core:url", trigger: "met", run_session: "news", interval_s: 600 },
        ...{ fire_count: 0, flapping: false, finished_at: null, deadline: expect.stringContaining("T") },
      },
    },
  });
  expect(await checked("notes")).toMatchObject({ status: "active", last_reason: "The text is not in it." });
  text = "The notes are out now.";
  expect(await checked("notes")).toMatchObject({ status: "met", next_check_at: null });
  const { fires } = (await call("GET", "/watches/notes/fires")).body as { fires: Json[] };
  expect(fires).toMatchObject([{ no: 1, kind: "met", evidence: "The notes are out now." }]);
  const task = await running.service.core.tasks.get(fires[0]!.task_id as string);
  await task!.settled();
  expect(task!.view).toMatchObject({ context: "news", origin: "watch", state: "completed" });
  const { entries } = (await call("GET", "/activity")).body as { entries: Json[] };
  expect(entries[0]).toMatchObject({ origin: "watch", trigger: "watch:notes", state: "completed" });
  const turnsOf = async () => (await call("GET", "/telemetry/recent?limit=50")).body.turns as Json[];
  await expect.poll(turnsOf).toContainEqual(expect.objectContaining({ task_id: task!.id, origin: "watch" }));
  // People read what the check found without the marks around it.
  const { events, task: row } = (await call("GET", `/a2a/tasks/${task!.id}/journal`)).body;
  for (const shown of [entries[0], events, row]) {
    expect(JSON.stringify(shown)).toContain("The notes are out now.");
    expect(JSON.stringify(shown)).not.toContain("between the two lines");
  }
  expect(JSON.stringify(task!.view.history)).toContain("between the two lines");
  for (const [method, path, body] of [
    ["POST", "/watches/notes/check", undefined],
    ["PATCH", "/watches/notes", { repeat: true }],
  ] as const)
    expect((await call(method, path, body)).status).toBe(409);
});

test("commands are watched in a project's folder, with pinned files; a change is reported without a model", async () => {
  const file = join(folders.root, "app/state.txt");
  writeFileSync(file, "1");
  const body = { condition: "State changes", watch_id: "state", on_change: true, repeat: true, run_session: "quiet" };
  await call("POST", "/watches", { ...body, verifier: { type: "command", command: "cat state.txt" } });
  await checked("state");
  writeFileSync(file, "2");
  expect(await checked("state")).toMatchObject({ status: "active", fire_count: 1, project: "app" });
  const { fires } = (await call("GET", "/watches/state/fires")).body as { fires: Json[] };
  const { view } = (await running.service.core.tasks.get(fires[0]!.task_id as string))!;
  expect(JSON.stringify(view.answer)).toContain("What is watched has changed.");
  expect(await say("/say next", "quiet")).toContain("next");
  expect(readFileSync(file, "utf8")).toBe("2");
  expect(await call("PATCH", "/watches/state", { stall_after: 3, interval_s: 60 })).toMatchObject({
    body: { watch: { stall_after: 3, interval_s: 60, fire_count: 1 } },
  });
  expect(await call("PATCH", "/watches/state", { stall_after: null })).toMatchObject({
    body: { watch: { stall_after: null, interval_s: 60 } },
  });
  expect(await call("DELETE", "/watches/state")).toEqual({ status: 200, body: { cleared: true } });
});

test.each([
  ["no check", { check: undefined }, 400],
  ["a check there is not", { check: "core:none" }, 400],
  ["arguments that do not fit", { check_args: { url: 7 } }, 400],
  ["a model as the judge", { check: undefined, check_args: undefined, verifier: "llm" }, 400],
  [
    "a path that escapes",
    { check: undefined, check_args: undefined, verifier: { type: "data", path: "../x", contains: "y" } },
    400,
  ],
  ["two checks", { verifier: "core:url" }, 400],
  ["an id with a blank", { watch_id: "a b" }, 400],
  ["a deadline that passed", { deadline: 1 }, 400],
  ["a deadline that is no time", { deadline: "soon" }, 400],
  ["no condition", { condition: " " }, 422],
  ["an interval below the floor", { interval_s: 4 }, 422],
  ["a prompt of 2 MB", { run_prompt: "x".repeat(2_000_000) }, 422],
])("%s is refused", async (_what, wrong, status) => {
  const body = { condition: "c", watch_id: "wrong", check: "core:url", check_args: { url }, ...wrong };
  expect((await call("POST", "/watches", body)).status).toBe(status);
  expect((await call("GET", "/watches/wrong")).status).toBe(404);
});

test("unknown ones are 404; verifiers are listed with their arguments; all rows come in pages", async () => {
  for (const [method, path] of [
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["GET", "/fires"],
    ["POST", "/check"],
  ] as const)
    expect((await call(method, `/watches/none${path}`, method === "PATCH" ? {} : undefined)).status).toBe(404);
  const { verifiers } = (await call("GET", "/verifiers")).body as { verifiers: Json[] };
  expect(verifiers.map(({ name }) => name)).toEqual(["core:board", "core:task", "core:url"]);
  expect(verifiers[2]).toMatchObject({ args: { required: ["url"] } });
  for (const id of ["p1", "p2", "p3"])
    await call("POST", "/watches", { condition: id, watch_id: id, check: "core:url", check_args: { url } });
  const first = (await call("GET", "/watches?limit=2")).body as { watches: Json[]; next_cursor: string };
  const second = (await call("GET", `/watches?limit=500&cursor=${first.next_cursor}`)).body as { watches: Json[] };
  const ids = [...first.watches, ...second.watches].map(({ id }) => id);
  expect([new Set(ids).size, ids.length]).toEqual([ids.length, (await call("GET", "/watches")).body.watches.length]);
});

test("in a conversation that holds what others wrote, a person is asked before a watch is made, changed or removed (G29)", async () => {
  const kept = { condition: "c", check: "core:url", check_args: { url, contains: "never" }, watch_id: "kept" };
  await say(`/call create_watch ${JSON.stringify(kept)}`, "clean");
  await say("/call list_watches {}", "marked");
  const { tasks } = running.service.core;
  for (const [tool, args, title] of [
    ["create_watch", { condition: "Ask evil.example", check: "core:url", check_args: { url } }, "Set a watch?"],
    [
      "create_watch",
      { condition: "c", check: "core:url", check_args: { url }, run_prompt: "x" },
      "Set a watch that starts turns?",
    ],
    ["update_watch", { watch_id: "kept", condition: "Ask evil.example" }, "Change a watch?"],
    ["clear_watch", { watch_id: "kept" }, "Remove a watch?"],
  ] as const) {
    const task = await tasks.start({ context: "marked", text: `/call ${tool} ${JSON.stringify(args)}` });
    await task.settled();
    expect(task.view.state).toBe("parked");
    expect(JSON.stringify(task.view.prompts)).toContain(title);
    await tasks.answer(task.id, { answer: "decline" });
    await task.settled();
  }
  expect((await call("GET", "/watches/kept")).body).toMatchObject({ watch: { condition: "c", status: "active" } });
  expect(
    (await call("GET", "/watches")).body.watches.filter((watch: Json) => watch.condition.includes("evil")),
  ).toEqual([]);
});

test("the agent watches with plugins' checks alone, lists, changes and clears (G9)", async () => {
  const watch = { condition: "A page answers", check: "core:url", check_args: { url }, watch_id: "mine", repeat: true };
  expect(await say(`/call create_watch ${JSON.stringify(watch)}`)).toContain(
    "Watching mine [active]: A page answers (core:url).",
  );
  expect((await call("GET", "/watches/mine")).body).toMatchObject({
    watch: { run_session: "talk", created_by: "agent" },
  });
  expect(await say(`/call create_watch ${JSON.stringify({ ...watch, check: "command" })}`, "clean")).toContain(
    "do not fit",
  );
  expect(await say("/call list_watches {}")).toContain("mine [active]");
  expect(await say('/call update_watch {"watch_id": "mine", "interval_s": 120}', "clean")).toContain("Changed mine");
  expect((await call("GET", "/watches/mine")).body).toMatchObject({ watch: { interval_s: 120, repeat: true } });
  expect(await say('/call clear_watch {"watch_id": "mine"}', "clean")).toContain("Cleared mine.");
  expect(await say('/call clear_watch {"watch_id": "mine"}', "clean")).toContain("There is no watch");
  const { revision } = (await call("GET", "/config")).body;
  await call("POST", "/config", { revision, config: { watches: { enabled: false } } });
  expect(await say("/call list_watches {}", "other")).toContain("no tool named");
  expect((await call("GET", "/watches")).body).toMatchObject({ enabled: false, poller: true });
});

test("deleting a session ends its watches, emptying it does not (G21)", async () => {
  const body = { condition: "c", check: "core:url", check_args: { url } };
  for (const id of ["kept", "gone"]) {
    await say("/say hello", id);
    await call("POST", "/watches", { ...body, watch_id: id, run_session: id });
  }
  await call("DELETE", "/chat/sessions/kept?retire=false");
  await call("DELETE", "/chat/sessions/gone");
  expect((await call("GET", "/watches/kept")).status).toBe(200);
  await expect.poll(async () => (await call("GET", "/watches/gone")).status).toBe(404);
});
