/** The task board through HTTP and the agent's own tools (O4, O5, S3). */
import { openDatabase } from "@agent-service/agent-core/host";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService();
});
afterAll(() => service[Symbol.asyncDispose]());
const ask: GatedService["ask"] = (...request) => service.ask(...request);
const say: GatedService["say"] = (...message) => service.say(...message);

describe("the task board", () => {
  it("is made when it is first wanted", async () => {
    expect(await ask("POST", "/api/tasks/init", { prefix: "bd", project_path: "/x" })).toEqual({
      status: 200,
      body: { initialized: true, already_initialized: false },
    });
    expect((await ask("POST", "/api/tasks/init")).body.already_initialized).toBe(true);
    expect((await ask("GET", "/api/tasks/status")).body).toEqual({ initialized: true });
  });

  it("creates, changes, closes and deletes issues", async () => {
    const { body } = await ask("POST", "/api/tasks/issues", { title: " Renew it ", type: "chore", priority: 1 });
    expect(body.issue).toMatchObject({
      id: "task-1",
      title: "Renew it",
      status: "open",
      priority: 1,
      issue_type: "chore",
      session_id: null,
      closed_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const path = "/api/tasks/issues/task-1";
    expect((await ask("PATCH", path, { status: "blocked", assignee: "me" })).body.issue).toMatchObject({
      status: "blocked",
      assignee: "me",
      title: "Renew it",
    });
    expect((await ask("POST", `${path}/close`, { reason: "done" })).body.issue).toMatchObject({
      status: "closed",
      close_reason: "done",
      closed_at: expect.any(String),
    });
    expect((await ask("POST", `${path}/close`)).body.issue.close_reason).toBe("done");
    expect((await ask("GET", path)).body.issue.status).toBe("closed");
    expect(await ask("DELETE", path)).toEqual({ status: 200, body: { deleted: true } });
    for (const [method, where] of [
      ["GET", path],
      ["PATCH", path],
      ["POST", `${path}/close`],
      ["DELETE", path],
      ["GET", "/api/tasks/issues/nonsense"],
    ] as const)
      expect((await ask(method, where, method === "PATCH" ? { title: "x" } : undefined)).status).toBe(404);
  });

  it("refuses an unknown status or type, and changes nothing (O4)", async () => {
    for (const body of [{ title: "x", type: "story" }, { title: " " }, { title: "x", priority: 4 }, {}])
      expect((await ask("POST", "/api/tasks/issues", body)).status).toBe(422);
    expect((await ask("GET", "/api/tasks/issues?status=wip")).status).toBe(422);
    expect((await ask("GET", "/api/tasks/issues")).body.issues).toEqual([]);
  });

  it("lets the agent do an issue once, however often and at once it is asked, and links both ways", async () => {
    const made = await ask("POST", "/api/tasks/issues", {
      title: "Water the ferns",
      description: '/call ask_human {"question":"How much?"}',
    });
    const { id } = made.body.issue;
    expect(made.body.issue.run).toBeNull();
    const path = `/api/tasks/issues/${id}`;
    const pressed = await Promise.all([1, 2, 3].map(() => ask("POST", `${path}/run`)));
    const [{ body: first }] = pressed as [(typeof pressed)[0]];
    expect(new Set(pressed.map(({ body }) => body.task_id)).size).toBe(1);
    expect(pressed.filter(({ body }) => body.started).length).toBe(1);
    const run = { task_id: first.task_id, session_id: first.session_id };
    await expect
      .poll(async () => (await ask("GET", path)).body.issue)
      .toMatchObject({ status: "in_progress", run: { ...run, state: "input-required" } });
    expect((await ask("POST", `${path}/run`)).body).toMatchObject({ ...run, started: false });
    const runs = (await ask("GET", `/api/a2a/tasks?session_id=${run.session_id}`)).body.tasks;
    expect(runs.map(({ input }: { input: string }) => input.split("\n")[0])).toEqual(["Water the ferns"]);
    const linked = (await ask("GET", `/api/tasks/issues?run_session_id=${run.session_id}`)).body.issues;
    expect(linked.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await ask("GET", `/api/chat/sessions/${run.session_id}`)).body.title).toBe("Water the ferns");
    // What was canceled can be asked for again, in the same conversation.
    await service.running.service.core.tasks.cancel(run.task_id);
    const again = await ask("POST", `${path}/run`);
    expect(again.body).toMatchObject({ started: true, session_id: run.session_id });
    expect(again.body.task_id).not.toBe(run.task_id);
    await service.running.service.core.tasks.cancel(again.body.task_id);
    // Its conversation is deleted, and the link with it.
    await ask("DELETE", `/api/chat/sessions/${run.session_id}`);
    await expect.poll(async () => (await ask("GET", path)).body.issue.run).toBeNull();
    await ask("POST", `${path}/close`);
    expect((await ask("POST", `${path}/run`)).status).toBe(409);
    await ask("DELETE", path);
    expect((await ask("POST", `${path}/run`)).status).toBe(404);
  });

  it("keeps the answer of a start under its Idempotency-Key", async () => {
    const { id } = (await ask("POST", "/api/tasks/issues", { title: "Sweep\n/say Done." })).body.issue;
    const press = async (key: string) => {
      const response = await fetch(`${service.running.url}/api/tasks/issues/${id}/run`, {
        method: "POST",
        headers: { authorization: "Bearer the-operators", "idempotency-key": key },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const first = await press("k-1");
    expect(first).toMatchObject({ status: 200, body: { started: true } });
    expect(await press("k-1")).toEqual(first);
    expect((await press("k-2")).body).toMatchObject({ started: false, task_id: first.body.task_id });
    await ask("DELETE", `/api/tasks/issues/${id}`);
  });

  it("is the agent's too, and no peer's (A16)", async () => {
    await say('/call task_create {"title":"from the agent","priority":0}');
    await say('/call task_create {"title":"second"}');
    expect(await say('/call task_create {"title":"spam"}', PEERS_TOKEN)).toContain("there is no tool named");
    const first = (await ask("GET", "/api/tasks/issues?limit=1")).body;
    expect(first.issues).toMatchObject([{ title: "second", session_id: expect.any(String) }]);
    const next = (await ask("GET", `/api/tasks/issues?limit=1&cursor=${first.next_cursor}`)).body;
    expect(next.issues).toMatchObject([{ title: "from the agent", priority: 0 }]);
    expect(next.next_cursor).toBeNull();
    const { id } = next.issues[0];
    expect(await say("/call task_list {}")).toContain(`${id} [open, priority 0, task] from the agent`);
    expect(await say(`/call task_close {"issue_id":"${id}","reason":"did it"}`)).toContain("closed");
    expect(await say('/call task_update {"issue_id":"task-77","status":"open"}')).toContain(
      "there is no issue task-77",
    );
    expect((await ask("GET", "/api/tasks/issues?status=closed")).body.issues).toMatchObject([
      { close_reason: "did it" },
    ]);
    expect(service.published.filter(({ topic }) => topic === "board.changed").at(-1)).toMatchObject({
      data: { id, action: "closed" },
      shown: undefined,
    });
  });
});

/** A board that a version of the future has migrated. */
async function newerBoard(path: string): Promise<void> {
  const db = await openDatabase({ url: `file:${path}`, schema: "board", owner: { name: "a later version" } });
  const sql = "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (999, '0999_later', 'x', 0)";
  await db.commit({ label: "test", statements: [{ sql, args: [] }] });
  await db.close();
}

it.each([
  ["agent-config.yaml/issues.db", "its folder cannot be made (EEXIST)", async () => {}],
  ["newer.db", "newer.db: the store was written by a newer version", newerBoard],
])("does the rest without a task store, and reports why there is none: %s", async (file, why, prepare) => {
  const folders = temporaryFolders();
  folders.configure("");
  const path = `${folders.config}/${file}`;
  await prepare(path);
  await using bare = await startTestService({ folders, env: { TASKS_DB_PATH: path } });
  const get = async (where: string) => {
    const response = await fetch(bare.url + where);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const because = expect.stringContaining(why);
  expect(await get("/api/tasks/status")).toEqual({ status: 200, body: { initialized: false, error: because } });
  expect(await get("/api/tasks/issues")).toEqual({ status: 503, body: { detail: because } });
  const init = await fetch(`${bare.url}/api/tasks/init`, { method: "POST" });
  expect(init.status).toBe(503);
  expect(JSON.stringify(await bare.wire.say('/call task_create {"title":"x"}'))).toContain("Error:");
  expect((await get("/api/inbox")).status).toBe(200);
  await bare.stop();
  folders.remove();
});
