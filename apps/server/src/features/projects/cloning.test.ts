/** Cloning and registering through HTTP and the agent's tools, from `git http-backend` on loopback (F20, F21, F22; W3). */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitHttpBackend, temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const root = realpathSync(folders.root);
const at = (...parts: string[]): string => join(root, ...parts);
const clones = at("clones");
const backend = gitHttpBackend(at("served"));

let server: Server;
let port: number;
let running: TestService;
const requests: string[] = [];
beforeAll(async () => {
  mkdirSync(at("served/example/app"), { recursive: true });
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.org", ...args], {
      cwd: at("served/example/app"),
      stdio: "pipe",
    });
  git("init", "-q");
  writeFileSync(at("served/example/app/a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    if (request.url?.startsWith("/example/moved") === true)
      response.writeHead(301, { location: request.url.replace("moved", "app") }).end();
    else backend(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  configure(`egress: {allowed_hosts: [localhost]}\n`);
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running?.stop();
  server?.close();
  folders.remove();
});

function configure(
  more: string,
  onboarding = `root: "${clones}", allow: ["localhost:*/example/*", "127.0.0.1:*/**"]`,
): void {
  folders.configure(`model: {name: "scripted:demo"}\nonboarding: {${onboarding}}\n${more}`);
}

async function clone(body: object): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${running.url}/api/projects/clone`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}
const call = async (tool: string, args: object): Promise<string> =>
  JSON.stringify(await running.wire.say(`/call ${tool} ${JSON.stringify(args)}`));
const app = (path = "example/app"): string => `http://localhost:${port}/${path}`;

test("a repository is cloned into the folder of clones and is a project at once, with its origin (F20)", async () => {
  const { status, text } = await clone({ repo: app() });
  expect([status, text]).toEqual([201, expect.stringContaining(`"path":"${clones}/app"`)]);
  expect(JSON.parse(text).project).toMatchObject({ name: "app", write: false, is_git: true, scm_repo: "example/app" });
  expect(await call("read_file", { project: "app", path: "a.txt" })).toContain("one");
  expect(readdirSync(clones)).toEqual(["app"]);
  expect(existsSync(join(clones, "app/.git/hooks"))).toBe(false);
  expect(requests.length).toBeGreaterThan(0);
});

test("the same repository is registered as it is and not fetched, another one is refused (F20)", async () => {
  const before = requests.length;
  expect(await call("onboard_project", { repo: app() })).toMatch(/cloned\\*":false/);
  expect(requests.length).toBe(before);
  const other = await clone({ repo: app("example/other"), name: "app" });
  expect(other).toMatchObject({ status: 400, text: expect.stringContaining("Something else lies in app") });
});

test("a redirect is not followed, and what fails leaves nothing behind (F20)", async () => {
  expect(await clone({ repo: app("example/moved") })).toMatchObject({ status: 502 });
  expect(requests.some((one) => one.includes("moved"))).toBe(true);
  expect((await clone({ repo: app("example/none") })).status).toBe(502);
  expect(readdirSync(clones)).toEqual(["app"]);
});

test("what is not named in allow, egress.allowed_hosts or root is refused by the setting's name, before a request", async () => {
  const before = requests.length;
  expect(await clone({ repo: app("elsewhere/app") })).toMatchObject({
    status: 400,
    text: expect.stringContaining("onboarding.allow"),
  });
  const direct = await clone({ repo: `http://127.0.0.1:${port}/example/app`, name: "direct" });
  expect(direct).toMatchObject({ status: 400, text: expect.stringMatching(/not public|http:/) });
  expect((await clone({ repo: "https://user:secret@localhost/a/b" })).status).toBe(400);
  configure("egress: {allowed_hosts: [localhost]}\n", 'allow: ["**"]');
  running.live.reload();
  expect(await call("onboard_project", { repo: app() })).toContain("onboarding.root");
  configure("egress: {allowed_hosts: [localhost]}\n", `root: "${clones}", enabled: false`);
  running.live.reload();
  const inventory = await (await fetch(`${running.url}/api/tools`)).text();
  expect(
    JSON.parse(inventory).tools.filter(
      ({ name, enabled }: { name: string; enabled: boolean }) => enabled && /^(onboard|register)_/.test(name),
    ),
  ).toEqual([]);
  expect(requests.length).toBe(before);
  configure("egress: {allowed_hosts: [localhost]}\n");
  running.live.reload();
});

test("a folder of the folder of clones is registered, another one only after a person said so (F21)", async () => {
  mkdirSync(join(clones, "made"));
  expect(await call("register_local_project", { path: join(clones, "made") })).toMatch(/project\\*":\\*"made/);
  mkdirSync(at("beside"));
  const asked = await call("register_local_project", { path: at("beside") });
  expect(asked).toContain("input-required");
  expect(asked).toContain(at("beside"));
  const { approvals } = await (await fetch(`${running.url}/api/approvals`)).json();
  const answer = { method: "POST", headers: { "content-type": "application/json" }, body: '{"decision":"approve"}' };
  expect((await fetch(`${running.url}/api/approvals/${approvals[0].id}`, answer)).status).toBe(200);
  const names = async () =>
    (await (await fetch(`${running.url}/api/projects`)).json()).projects.map((one: { name: string }) => one.name);
  await expect.poll(names).toContain("beside");
  expect(await call("register_local_project", { path: join(clones, "made"), write: true })).toContain("input-required");
  for (const path of ["/etc", "/", "relative", at("none")])
    expect(await call("register_local_project", { path })).not.toContain("input-required");
  expect(textOf(await running.wire.say("/call list_projects {}"))).toContain("beside");
  mkdirSync(join(clones, "written"));
  configure("", `root: "${clones}", write_default: true`);
  running.live.reload();
  expect(await call("register_local_project", { path: join(clones, "written") })).toMatch(/write\\*":true/);
  configure("", `root: "${clones}", approve_outside_root: false`);
  running.live.reload();
  expect(await call("register_local_project", { path: root })).toContain("approve_outside_root");
});
