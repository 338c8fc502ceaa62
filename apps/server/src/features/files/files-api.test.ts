/** Choosing folders, reading files and seeing differences through HTTP (F14, F23, F24, F25). */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const root = realpathSync(folders.root);
const put = (path: string, content: string | Buffer = path): void => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.org", ...args], {
    cwd: join(root, "app"),
    stdio: "pipe",
  }).toString();

const PROJECTS = `projects: [{name: app, path: "${root}/app"}, {name: plain, path: "${root}/plain", write: false}]\n`;
const configure = (yaml: string): void => folders.configure(`model: {name: "scripted:demo"}\n${yaml}`);

const SECRET = "a-secret-of-the-service-4711";
let running: TestService;
beforeAll(async () => {
  put("app/src/main.ts", "one\ntwo\r\nthree");
  put("app/empty", "");
  put("app/image.png", Buffer.from([0x89, 0, 1]));
  put("app/.env", "KEY=canary");
  put("plain/a.txt", "canary\n");
  symlinkSync("../plain/a.txt", join(root, "app/out"));
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "one");
  put("app/src/main.ts", "one\ntwo\r\n3\n");
  put("app/src/new.ts", "new\n");
  put("app/src/key.ts", `const key = "${SECRET}";\n`);
  put("app/.env", "KEY=another canary");
  configure(`${PROJECTS}filesystem: {code_pane: true}\n`);
  running = await startTestService({ folders, env: { MY_API_KEY: SECRET } });
});
afterAll(async () => {
  await running?.stop();
  folders.remove();
});

async function ask(path: string, query: Record<string, string | number> = {}) {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const response = await fetch(`${running.url}/api/fs/${path}?${new URLSearchParams(texts)}`);
  return { status: response.status, body: await response.json() };
}
const file = (query: Record<string, string | number>) => ask("file", { project: "app", ...query });

test("a secret that the service knows is shown neither in a file nor in a difference (S5)", async () => {
  expect((await file({ path: "src/key.ts" })).body.text).toMatch(/^const key = "(?!a-secret).*";\n$/);
  const { body } = await ask("diff", { project: "app" });
  expect(body.patch).toContain("+const key = ");
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

describe("a page of a file (F24)", () => {
  test("holds lines as they are, by number", async () => {
    expect(await file({ path: "src/main.ts" })).toEqual({
      status: 200,
      body: {
        ...{ project: "app", path: "src/main.ts", size: 11, line_count: 3, start: 1, end: 3, truncated: false },
        ...{ language: "typescript", binary: false, text: "one\ntwo\r\n3\n" },
      },
    });
    expect((await file({ path: "src/main.ts", start: 2, end: 2 })).body).toMatchObject({
      start: 2,
      end: 2,
      text: "two\r\n",
    });
    expect((await file({ path: "src/main.ts", start: 2, end: 99 })).body).toMatchObject({ end: 3, text: "two\r\n3\n" });
    expect((await file({ path: "empty" })).body).toMatchObject({ line_count: 0, start: 1, end: 0, text: "" });
    expect((await file({ path: "image.png" })).body).toMatchObject({ binary: true, text: null, size: 3 });
  });

  test("is cut at 20,000 lines, 2 MB and 2,000 characters of a line, and read on from there", async () => {
    put("app/many.txt", "x\n".repeat(20_001));
    const first = (await file({ path: "many.txt" })).body;
    expect(first).toMatchObject({ line_count: 20_001, end: 20_000, truncated: true });
    expect((await file({ path: "many.txt", start: 20_001 })).body).toMatchObject({ truncated: false, text: "x\n" });
    put("app/wide.txt", `${"y".repeat(1_999)}\n`.repeat(1_200));
    const wide = (await file({ path: "wide.txt" })).body;
    expect([wide.end, wide.truncated, wide.text.length]).toEqual([1_000, true, 2_000_000]);
    put("app/long.txt", `${"z".repeat(2_001)}\nshort`);
    const long = (await file({ path: "long.txt" })).body;
    expect(long).toMatchObject({ line_count: 2, end: 2, truncated: true });
    expect(long.text).toBe(`${"z".repeat(2_000)}… [line truncated]\nshort`);
    put("app/huge.txt", "a\n");
    truncateSync(join(root, "app/huge.txt"), 10_000_000_000);
    expect(await file({ path: "huge.txt" })).toMatchObject({ status: 400, body: { detail: { code: "unreadable" } } });
  });

  test.each([
    ["bad_path", 400, { project: "none", path: "a" }],
    ["bad_path", 400, { path: "" }],
    ["bad_path", 400, { path: "../plain/a.txt" }],
    ["bad_path", 400, { path: "../.env" }],
    ["bad_path", 400, { path: "out" }],
    ["bad_path", 400, { path: "a\0b" }],
    ["denied", 403, { path: ".env" }],
    ["denied", 403, { path: ".ssh/none" }],
    ["denied", 403, { path: ".git/config" }],
    ["not_found", 404, { path: "none", start: "x" }],
    ["not_a_file", 400, { path: "src", start: "x" }],
    ["bad_range", 400, { path: "src/main.ts", start: 0 }],
    ["bad_range", 400, { path: "src/main.ts", start: "1.5" }],
    ["bad_range", 400, { path: "src/main.ts", end: "x" }],
    ["bad_range", 400, { path: "src/main.ts", start: 3, end: 2 }],
    ["bad_range", 400, { path: "src/main.ts", start: 4 }],
  ])("refuses with %s: %i %j", async (code, status, query) => {
    const answer = await file(query);
    expect(answer).toEqual({ status, body: { detail: { code, reason: expect.any(String) } } });
    expect(JSON.stringify(answer.body)).not.toMatch(/canary/);
  });
});

describe("the diff of a project (F25)", () => {
  test("shows what differs, and of secret-like files the names", async () => {
    const { status, body } = await ask("diff", { project: "app" });
    expect([status, body.is_git, body.branch, body.head]).toEqual([200, true, "main", git("rev-parse", "HEAD").trim()]);
    expect(body.files).toEqual(
      expect.arrayContaining([
        { path: ".env", status: "M", additions: null, deletions: null, binary: false, denied: true },
        { path: "src/main.ts", status: "M", additions: 1, deletions: 1, binary: false, denied: false },
        { path: "src/new.ts", status: "?", additions: 1, deletions: 0, binary: false, denied: false },
      ]),
    );
    expect(body.patch).not.toContain("canary");
    expect(readdirSync(join(folders.home, "git-read"))).toEqual([]);
  });

  test("says where there is no repository, none that can be read, and no such project", async () => {
    const without = { is_git: false, head: null, branch: null, files: [], patch: "", truncated: false };
    expect((await ask("diff", { project: "plain" })).body).toEqual({ project: "plain", ...without });
    put("plain/.git", "gitdir: ../app/.git\n");
    expect((await ask("diff", { project: "plain" })).body).toEqual({
      ...{ project: "plain", ...without },
      reason: expect.stringContaining("does not point back"),
    });
    expect(await ask("diff", { project: "none" })).toMatchObject({
      status: 400,
      body: { detail: { code: "bad_path" } },
    });
  });
});

describe("choosing a folder (F23)", () => {
  test("lists names, folders first, and where to begin", async () => {
    const { status, body } = await ask("browse", { path: join(root, "app"), files: "true" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ path: join(root, "app"), parent: root, truncated: false });
    expect(body.entries.slice(0, 2)).toEqual([
      { name: "src", path: join(root, "app/src"), kind: "dir", link: false },
      { name: "empty", path: join(root, "app/empty"), kind: "file", link: false },
    ]);
    expect(body.entries.find((one: { name: string }) => one.name === "out")).toMatchObject({
      kind: "file",
      link: true,
    });
    expect(body.roots).toContainEqual({ label: "plain", path: join(root, "plain") });
    expect((await ask("browse", { path: join(root, "app") })).body.entries).toHaveLength(1);
    const hidden = (await ask("browse", { path: join(root, "app"), hidden: "1" })).body.entries;
    expect(hidden.map((one: { name: string }) => one.name)).toEqual([".git", "src"]);
    const home = (await ask("browse")).body;
    expect((await ask("browse", { path: "~" })).body.path).toBe(home.path);
    expect((await ask("browse", { path: "/" })).body.parent).toBeNull();
  });

  test("is bounded, and refuses what is no folder to choose from", async () => {
    for (let i = 0; i < 1_001; i++) mkdirSync(join(root, "plain/many", String(i)), { recursive: true });
    const { body } = await ask("browse", { path: join(root, "plain/many") });
    expect([body.entries.length, body.truncated]).toEqual([1_000, true]);
    mkdirSync(join(root, "plain/.ssh"));
    symlinkSync(".ssh", join(root, "plain/keys"));
    const answers = [
      "src",
      "/a\0b",
      join(root, "none"),
      join(root, "app/empty"),
      join(root, "plain/.ssh"),
      join(root, "plain/keys"),
    ];
    const statuses = await Promise.all(answers.map(async (path) => (await ask("browse", { path })).status));
    expect(statuses).toEqual([400, 400, 404, 400, 403, 403]);
  });
});

test("the roots are the projects that tools reach, and all of it can be switched off (F14)", async () => {
  const roots = { app: join(root, "app"), plain: join(root, "plain") };
  expect((await ask("roots")).body).toEqual({ enabled: true, roots });
  const on = (files: boolean, pane: boolean) => ({ files: { enabled: files }, code_pane: { enabled: pane } });
  const features = async () => (await (await fetch(`${running.url}/api/runtime/status`)).json()).features;
  expect(await features()).toMatchObject(on(true, true));
  const off = { status: 404, body: { detail: { code: "disabled" } } };
  configure(PROJECTS);
  running.live.reload();
  expect([await file({ path: "empty" }), await ask("diff", { project: "app" })]).toMatchObject([off, off]);
  expect(await features()).toMatchObject(on(true, false));
  configure(`${PROJECTS}filesystem: {enabled: false, code_pane: true}\n`);
  running.live.reload();
  expect((await ask("roots")).body).toEqual({ enabled: false, roots: {} });
  expect(await file({ path: "empty" })).toMatchObject(off);
  expect(await features()).toMatchObject(on(false, false));
  configure(`${PROJECTS}filesystem: {code_pane: true}\n`);
  running.live.reload();
});
