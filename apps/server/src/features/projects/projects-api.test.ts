/** Projects listed, added, changed and removed through HTTP (F1, F2, F22). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";

let service: GatedService;
let base: string;
const ask: GatedService["ask"] = (...request) => service.ask(...request);
const names = async (): Promise<string[]> =>
  (await ask("GET", "/api/projects")).body.projects.map(({ name }: { name: string }) => name);
const changes = (): number => service.published.filter(({ topic }) => topic === "projects.changed").length;
beforeAll(async () => {
  service = await startGatedService();
  base = service.running.folders.root;
  for (const folder of ["app", "Not a name!", "other/app", "gone"])
    mkdirSync(join(base, "src", folder), { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: join(base, "src/app") });
});
afterAll(() => service[Symbol.asyncDispose]());

const configFile = (): string => readFileSync(join(service.running.folders.config, "agent-config.yaml"), "utf8");

test("the first one that is added keeps the workspace, which was reached until then (F2)", async () => {
  const { body } = await ask("GET", "/api/projects");
  expect(body.projects).toEqual([
    {
      ...{ name: "workspace", path: join(service.running.folders.home, "workspace"), source: "workspace" },
      ...{ scm_repo: "", default_branch: "main", write: true, no_delete: false, fs: true, exists: true, is_git: false },
    },
  ]);
  const added = await ask("POST", "/api/projects", { path: join(base, "src/app") });
  expect(added).toMatchObject({
    status: 201,
    body: { project: { name: "app", write: false, source: "projects", exists: true, is_git: true } },
  });
  expect(await names()).toEqual(["workspace", "app"]);
  expect(await service.say("/call list_projects {}")).toMatch(/workspace: .*read and write.*app: .*read only/);
  await expect.poll(changes).toBe(1);
});

test("a folder that is a project already is answered as it is, and other folders get names of their own", async () => {
  const again = await ask("POST", "/api/projects", { path: join(base, "src/../src/app"), name: "other", write: true });
  expect(again).toMatchObject({ status: 201, body: { project: { name: "app", write: false } } });
  const named = await Promise.all(
    ["Not a name!", "other/app"].map((folder) => ask("POST", "/api/projects", { path: join(base, "src", folder) })),
  );
  expect(named.map(({ body }) => body.project.name)).toEqual(["Not-a-name-", "app-2"]);
  expect(await names()).toEqual(["workspace", "app", "Not-a-name-", "app-2"]);
});

test("what is changed counts at once, and removing leaves the folder", async () => {
  const { body } = await ask("PATCH", "/api/projects/APP", { write: true, no_delete: true, scm_repo: "example/app" });
  expect(body.project).toMatchObject({ name: "app", write: true, no_delete: true, scm_repo: "example/app" });
  expect(await service.say("/call list_projects {}")).toContain("read and write, no deletes, example/app");
  expect(await ask("DELETE", "/api/projects/app-2")).toEqual({ status: 200, body: { removed: true } });
  expect(existsSync(join(base, "src/other/app"))).toBe(true);
  expect(await names()).not.toContain("app-2");
  expect(configFile()).not.toContain("app-2");
  await expect.poll(changes).toBeGreaterThanOrEqual(4);
});

test("a folder that goes is said to be missing", async () => {
  await ask("POST", "/api/projects", { path: join(base, "src/gone") });
  rmSync(join(base, "src/gone"), { recursive: true });
  const rows = (await ask("GET", "/api/projects")).body.projects;
  expect(rows.find(({ name }: { name: string }) => name === "gone")).toMatchObject({ exists: false, is_git: false });
});

test.each([
  [400, "POST", "/api/projects", { path: "src" }],
  [400, "POST", "/api/projects", { path: "/nonexistent" }],
  [400, "POST", "/api/projects", { path: "/" }],
  [400, "POST", "/api/projects", { path: "/usr", name: "a/b" }],
  [409, "POST", "/api/projects", { path: "/usr", name: "APP" }],
  [404, "PATCH", "/api/projects/none", { write: true }],
  [404, "DELETE", "/api/projects/none", undefined],
  [400, "PATCH", "/api/projects/app", { scm_repo: "no repo" }],
])("%i: %s %s %j changes nothing", async (status, method, path, body) => {
  const before = configFile();
  expect((await ask(method, path, body)).status).toBe(status);
  expect(configFile()).toBe(before);
});

test("the service's own folders cannot be projects, and peers see none (F5, F13)", async () => {
  const { home, config } = service.running.folders;
  for (const path of [home, config]) expect((await ask("POST", "/api/projects", { path })).status).toBe(400);
  for (const method of ["GET", "POST"])
    expect(
      (await ask(method, "/api/projects", method === "POST" ? { path: base } : undefined, PEERS_TOKEN)).status,
    ).toBe(403);
});
