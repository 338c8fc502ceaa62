/** Hand-off to an editor through HTTP, and the tool that opens files in it (F13, F14, F26). */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";

let service: GatedService;
let base: string;
const AUTH = "auth: {token: the-operators, federation_token: a-peers}\n";
beforeAll(async () => {
  service = await startGatedService();
  base = service.running.folders.root;
  for (const folder of ["app/src", "beside", "bin"]) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, "app/src/main.ts"), "one\n");
  writeFileSync(join(base, "app/.env"), "KEY=1");
  symlinkSync("../beside", join(base, "app/out"));
  writeFileSync(join(base, "bin/edit"), `#!/bin/sh\nprintf %s "$1" > "${base}/opened"\n`);
  chmodSync(join(base, "bin/edit"), 0o755);
  configure("");
  await ask("POST", "/api/chat", { message: "/say hello", session_id: "s1" });
  await ask("POST", "/api/chat", { message: "/say hello", session_id: "s2" });
});
afterAll(() => service[Symbol.asyncDispose]());

const ask: GatedService["ask"] = (...request) => service.ask(...request);
const offer = (body: object) => ask("POST", "/api/editor/handoff", { session_id: "s1", ...body });
function configure(filesystem: string): void {
  const { folders, live } = service.running;
  folders.configure(
    `${AUTH}model: {name: "scripted:demo"}\nprojects: [{name: app, path: "${base}/app"}, {name: off, path: "${base}/beside", fs: false}]\nfilesystem: {${filesystem}}\n`,
  );
  live.reload();
}

/** A claim's status with what was given. */
async function claim(cwd: unknown) {
  const response = await fetch(`${service.running.url}/api/editor/handoff/claim`, {
    method: "POST",
    headers: { authorization: "Bearer the-operators", "content-type": "application/json" },
    body: JSON.stringify({ cwd }),
  });
  const text = await response.text();
  return text === "" ? response.status : { status: response.status, body: JSON.parse(text) };
}

test("an offer is given once, as it was made, to an editor in the project's folder", async () => {
  const made = await offer({ project: "APP", path: "src/../src/main.ts", line: 3, title: "Mend it" });
  const expires = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(made).toEqual({ status: 200, body: { id: expect.any(String), expires_at: expires, root: `${base}/app` } });
  symlinkSync("app", join(base, "link"));
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(join(base, "link/src"))));
  expect(claims.filter((one) => one !== 204)).toEqual([
    { status: 200, body: { session_id: "s1", project: "app", path: "src/../src/main.ts", line: 3, title: "Mend it" } },
  ]);
  const topics = () => service.published.filter(({ topic }) => topic.startsWith("handoff."));
  await expect.poll(() => topics().length).toBe(2);
  const data = { id: made.body.id, session_id: "s1" };
  expect(topics()).toEqual(
    [
      { topic: "handoff.offered", data, shown: undefined },
      { topic: "handoff.claimed", data, shown: undefined },
    ].map((one) => expect.objectContaining(one)),
  );
});

test("without a project any folder matches, the newest offer first", async () => {
  expect((await offer({})).body.root).toBeNull();
  await offer({ session_id: "s2", project: "app" });
  expect(await claim("/nowhere/at/all")).toMatchObject({
    body: { session_id: "s1", project: null, path: null, line: null },
  });
  expect(await claim(base)).toMatchObject({ body: { session_id: "s2", project: "app" } });
  expect(await claim(base)).toBe(204);
});

test.each([
  [404, "not_found", { session_id: "none" }],
  [400, "bad_request", { session_id: "" }],
  [400, "bad_request", { session_id: undefined }],
  [400, "bad_request", { path: "src/main.ts" }],
  [400, "bad_request", { project: "app", path: "src/main.ts", line: 0 }],
  [400, "bad_request", { project: "app", path: "src/main.ts", line: 1.5 }],
  [400, "bad_request", { project: "app", path: "src/main.ts", line: "3" }],
  [400, "unknown_project", { project: "none" }],
  [400, "unknown_project", { project: "off" }],
  [400, "bad_path", { project: "app", path: "../beside/x" }],
  [400, "bad_path", { project: "app", path: "out/x" }],
  [400, "bad_path", { project: "app", path: "/etc/passwd" }],
  [400, "bad_path", { project: "app", path: ".env" }],
  [400, "bad_path", { project: "app", path: "" }],
])("%i %s for %j, and nothing is offered", async (status, code, body) => {
  expect(await offer(body)).toEqual({ status, body: { detail: { code, reason: expect.any(String) } } });
  expect(await claim(join(base, "app"))).toBe(204);
});

test.each(["", "src", "./app", `/${"x".repeat(4_096)}`])("a claim for %j is refused", async (cwd) => {
  expect(await claim(cwd)).toMatchObject({ status: 400, body: { detail: { code: "bad_request" } } });
});

test("what is not there yet, and a folder, can be offered: the editor looks", async () => {
  for (const path of ["src/new.ts", "src", "."]) expect((await offer({ project: "app", path })).status).toBe(200);
  expect(await claim(base)).toMatchObject({ body: { path: "." } });
});

test("an offer goes with its conversation, and peers have none of it (F13)", async () => {
  await ask("POST", "/api/chat", { message: "/say hello", session_id: "gone" });
  await offer({ session_id: "gone", project: "app" });
  expect((await ask("DELETE", "/api/chat/sessions/gone")).status).toBe(200);
  expect(await claim(join(base, "app"))).toBe(204);
  expect((await offer({ session_id: "gone" })).status).toBe(404);
  for (const path of ["/api/editor/handoff", "/api/editor/handoff/claim"])
    expect((await ask("POST", path, { cwd: base, session_id: "s1" }, PEERS_TOKEN)).status).toBe(403);
});

const tools = async (): Promise<readonly { name: string; enabled: boolean; operator_only: boolean }[]> =>
  (await ask("GET", "/api/tools")).body.tools;
const openTool = async () => (await tools()).find(({ name }) => name === "open_in_editor");
const open = (message: object) =>
  ask("POST", "/api/chat", { session_id: "s2", message: `/call open_in_editor ${JSON.stringify(message)}` });

test("open_in_editor is there once editor_command is set, and offers the conversation (editor_handoff)", async () => {
  expect(await openTool()).toMatchObject({ enabled: false });
  configure(`editor_command: "${base}/bin/edit"`);
  expect(await openTool()).toMatchObject({ enabled: true, operator_only: true });
  const { body } = await open({ project: "app", path: "src/main.ts", line: 2 });
  expect(body.response).toContain("opened src/main.ts:2 of project app");
  const { readFileSync } = await import("node:fs");
  expect(readFileSync(join(base, "opened"), "utf8")).toBe(`${base}/app/src/main.ts:2`);
  expect(await claim(base)).toEqual({
    status: 200,
    body: { session_id: "s2", project: "app", path: "src/main.ts", line: 2, title: expect.stringContaining("hello") },
  });
  const flag = async () => (await ask("GET", "/api/runtime/status")).body.features.editor_handoff;
  expect(await flag()).toEqual({ available: true, enabled: true });
  configure(`editor_command: "${base}/bin/edit", editor_handoff: false`);
  expect((await open({ project: "app", path: "src/main.ts" })).body.response).not.toContain("continue");
  expect([await claim(base), await flag()]).toEqual([204, { available: true, enabled: false }]);
});

test("where the file tools are off there is no editor and no project to hand off (F14)", async () => {
  configure(`enabled: false, editor_command: "${base}/bin/edit"`);
  expect(await openTool()).toMatchObject({ enabled: false });
  expect(await offer({ project: "app" })).toMatchObject({ status: 400, body: { detail: { code: "unknown_project" } } });
  expect((await offer({})).status).toBe(200);
  configure("");
});
