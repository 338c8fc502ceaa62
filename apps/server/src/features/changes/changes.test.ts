/** Changes of files over the operator API and after a restart (F14, F16, F17; FC6). */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const SECRET = "sk-file-history-secret-0123456789";
const folders = temporaryFolders();
const app = join(folders.root, "app");
const file = (path: string): string => join(app, path);
const read = (path: string): string => readFileSync(file(path), "utf8");

let running: TestService;
const configure = (more = ""): void =>
  folders.configure(`model: {name: "scripted:demo"}
auth: {federation_token: ""}
projects: [{name: app, path: "${app}"}]
${more}`);
beforeAll(async () => {
  mkdirSync(app);
  configure();
  running = await startTestService({ folders, env: { MY_API_KEY: SECRET } });
});
afterAll(async () => {
  await running?.stop();
  folders.remove();
});

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${running.url}/api/${path}`, { method, ...sent });
  return { status: response.status, body: (await response.json()) as Json };
}

/** A turn that calls one tool. */
async function turn(session: string, tool: string, args: object, more: object = {}): Promise<string> {
  const message = `/call ${tool} ${JSON.stringify(args)}`;
  const { status, body } = await call("POST", "chat", { message, session_id: session, ...more });
  expect(status).toBe(200);
  return body.task_id as string;
}
const changesOf = async (query: string): Promise<Json[]> =>
  (await call("GET", `changes?${query}`)).body.changes as Json[];

it("lists what a conversation changed, page by page, and what it came to", async () => {
  writeFileSync(file("a.txt"), "one\ntwo\n");
  const first = await turn("s", "edit_file", { path: "a.txt", old_string: "two", new_string: "2" });
  const second = await turn("s", "write_file", { path: "new/b.txt", content: "b\n" });
  const page = (await call("GET", "changes?session_id=s&limit=1")).body;
  expect(page.changes).toMatchObject([
    {
      ...{ task_id: second, session_id: "s", project: "app", path: "new/b.txt", op: "create", origin: "tool" },
      ...{ additions: 1, deletions: 0, bytes: 2, reversible: true, reason: null, state: "done", current: "unchanged" },
    },
  ]);
  const next = (await call("GET", `changes?session_id=s&limit=1&cursor=${page.next_cursor}`)).body;
  expect([next.changes.map((one: Json) => one.task_id), next.next_cursor]).toEqual([[first], null]);
  const { body: diff } = await call("GET", "changes/diff?session_id=s");
  expect(diff).toMatchObject({
    files: [
      { project: "app", path: "a.txt", status: "M", additions: 1, deletions: 1, binary: false, denied: false },
      { project: "app", path: "new/b.txt", status: "A", additions: 1, deletions: 0 },
    ],
    patch: expect.stringContaining("-two\n+2\n"),
    truncated: false,
  });
  const [own] = await changesOf(`task_id=${first}`);
  expect((await call("GET", `changes/diff?ids=${own!.id}`)).body.files).toHaveLength(1);
  for (const query of ["", "?session_id=s&project=app", "/diff"])
    expect((await call("GET", `changes${query}`)).status).toBe(400);
  expect(await changesOf("project=none")).toEqual([]);
});

it("takes a turn back, names what conflicts, and takes that back too", async () => {
  const task = await turn("u", "write_file", { path: "u.txt", content: "one" });
  expect((await call("POST", "changes/undo", { task_id: task, preview: true })).body.files).toEqual([
    { project: "app", path: "u.txt", result: "removed" },
  ]);
  writeFileSync(file("u.txt"), "theirs");
  const conflict = [{ project: "app", path: "u.txt", result: "conflict", reason: "changed" }];
  expect((await call("POST", "changes/undo", { task_id: task })).body.files).toEqual(conflict);
  writeFileSync(file("u.txt"), "one");
  const undone = await call("POST", "changes/undo", { task_id: task });
  expect([undone.status, undone.body.files[0].result, existsSync(file("u.txt"))]).toEqual([200, "removed", false]);
  const [undo, made] = await changesOf(`task_id=${task}`);
  expect([undo!.origin, undo!.state, undo!.call_id, made!.state]).toEqual(["undo", "done", null, "undone"]);
  expect((await call("POST", "changes/undo", { ids: [undo!.id] })).body.files[0].result).toBe("restored");
  expect([read("u.txt"), (await changesOf(`task_id=${task}`)).at(-1)!.state]).toEqual(["one", "done"]);
  for (const body of [{ ids: ["none"] }, { task_id: "none" }])
    expect((await call("POST", "changes/undo", body)).status).toBe(404);
  for (const body of [{}, { ids: [] }, { ids: ["x"], task_id: task }])
    expect((await call("POST", "changes/undo", body)).status).toBe(422);
});

it("undoes files with a rewind only where that is asked for", async () => {
  const first = await turn("r", "write_file", { path: "r1.txt", content: "1" });
  await turn("r", "write_file", { path: "r2.txt", content: "2" });
  await turn("r", "write_file", { path: "r3.txt", content: "3" });
  writeFileSync(file("r3.txt"), "theirs");
  const back = await call("POST", "chat/sessions/r/rewind", { task_id: first, files: true });
  expect(back.body).toMatchObject({ ok: true, removed: 2 });
  expect((back.body.files as Json[]).map(({ path, result }) => [path, result])).toEqual([
    ["r3.txt", "conflict"],
    ["r2.txt", "removed"],
  ]);
  expect([existsSync(file("r1.txt")), existsSync(file("r2.txt")), read("r3.txt")]).toEqual([true, false, "theirs"]);
  const plain = await call("POST", "chat/sessions/r/rewind", { task_id: first, keep: false });
  expect([plain.body, existsSync(file("r1.txt"))]).toEqual([{ ok: true, removed: 1 }, true]);
});

it("reports what the history takes, and forgets a conversation with its changes (FC6)", async () => {
  writeFileSync(file("gone.txt"), "the only copy of this");
  await turn("gone", "edit_file", { path: "gone.txt", old_string: "only", new_string: "last" });
  const status = (await call("GET", "runtime/status")).body;
  expect(status.features.changes).toEqual({ available: true, enabled: true });
  expect(status.file_history).toEqual({ bytes: expect.any(Number), limit: 1_024 * 1_048_576 });
  expect(status.file_history.bytes).toBeGreaterThan(0);
  const images = (): number => readdirSync(join(folders.home, "file-history"), { recursive: true }).length;
  const before = images();
  expect((await call("DELETE", "chat/sessions/gone")).status).toBe(200);
  expect([await changesOf("session_id=gone"), images() < before, read("gone.txt")]).toEqual([
    ...[[], true, "the last copy of this"],
  ]);
});

it("keeps no copy of a file that holds a secret, and shows none of it", async () => {
  writeFileSync(file("conf.txt"), `key ${SECRET}\nmode a\n`);
  const task = await turn("secret", "edit_file", { path: "conf.txt", old_string: "mode a", new_string: "mode b" });
  expect(await changesOf(`task_id=${task}`)).toMatchObject([{ reversible: false, reason: "secret" }]);
  const next = await turn("secret", "edit_file", { path: "conf.txt", old_string: `key ${SECRET}`, new_string: "key" });
  expect(
    JSON.stringify([await changesOf(`task_id=${next}`), (await call("GET", "changes/diff?session_id=secret")).body]),
  ).not.toContain(SECRET);
  expect((await call("POST", "changes/undo", { task_id: task })).body.files).toMatchObject([
    { result: "not_reversible", reason: "secret" },
  ]);
  expect(read("conf.txt")).toBe("key\nmode b\n");
});

it("undoes after a restart, and no change of an incognito conversation is left by it (F14)", async () => {
  const task = await turn("later", "write_file", { path: "later.txt", content: "1" });
  await turn("hidden", "write_file", { path: "hidden.txt", content: "1" }, { incognito: true });
  expect(await changesOf("session_id=hidden")).toHaveLength(1);
  await running.stop();
  running = await startTestService({ folders, env: { MY_API_KEY: SECRET } });
  expect([await changesOf("session_id=hidden"), read("hidden.txt")]).toEqual([[], "1"]);
  expect((await call("POST", "changes/undo", { task_id: task })).body.files[0].result).toBe("removed");
});

it("keeps nothing of what files held where filesystem.history_mb is 0, from the next change on", async () => {
  writeFileSync(file("off.txt"), "before");
  configure("filesystem: {history_mb: 0}\n");
  expect(running.live.reload()).toMatchObject({ ok: true });
  try {
    const task = await turn("off", "edit_file", { path: "off.txt", old_string: "before", new_string: "after" });
    expect(await changesOf(`task_id=${task}`)).toMatchObject([{ reversible: false, reason: "history_off" }]);
    expect((await call("POST", "changes/undo", { task_id: task })).body.files[0].result).toBe("not_reversible");
    expect([read("off.txt"), (await call("GET", "runtime/status")).body.file_history.limit]).toEqual(["after", 0]);
  } finally {
    configure();
    running.live.reload();
  }
});
