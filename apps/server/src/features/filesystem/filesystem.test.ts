/** The file tools in the composed service, and the settings that decide what they reach (F1, F3, F6, F7, F13, F14). */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StartupError } from "../../cli/index.ts";
import { loadServerSettings } from "../../settings/index.ts";
import { temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const put = (path: string, content: string | Buffer = path): void => {
  const file = join(folders.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

let running: TestService;
beforeAll(async () => {
  put("app/src/main.ts", "one\r\ntwo\r\nthree\n");
  put("app/.env", "KEY=1");
  put("app/image.png", Buffer.from([0x89, 0x50, 0, 1]));
  put("notes/a.md", "note");
  symlinkSync("../notes/a.md", join(folders.root, "app/out"));
  configure(`projects:
  - {name: app, path: "${folders.root}/app", scm_repo: example/app, default_branch: trunk, no_delete: true}
  - {name: notes, path: "${folders.root}/notes", write: false}
`);
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running?.stop();
  folders.remove();
});

const configure = (yaml: string): void => folders.configure(`model: {name: "scripted:demo"}\n${yaml}`);

async function call(tool: string, args: object): Promise<string> {
  const task = await running.wire.say(`/call ${tool} ${JSON.stringify(args)}`);
  return textOf(task);
}

async function toolNames(): Promise<string[]> {
  const { tools } = (await (await fetch(`${running.url}/api/tools`)).json()) as {
    tools: { name: string; enabled: boolean }[];
  };
  return tools.filter(({ enabled }) => enabled).map(({ name }) => name);
}

test("projects are listed as the agent may use them, with scm_repo and default_branch (F6)", async () => {
  const { root } = folders;
  expect(await call("list_projects", {})).toContain(
    `app: ${root}/app, read and write, no deletes, example/app (trunk)\nnotes: ${root}/notes, read only`,
  );
});

test("lines are read with numbers, in parts, or as they are (F7)", async () => {
  const path = "src/main.ts";
  expect(await call("read_file", { project: "app", path })).toContain("1\tone\n2\ttwo\n3\tthree");
  expect(await call("read_file", { project: "APP", filePath: path, offset: 2, limit: 0 })).toContain(
    "2\ttwo\n[there is more: offset=3]",
  );
  expect(await call("read_file", { path: join(folders.root, "app", path), offset: 9 })).toContain("has only 3 lines");
  expect(await call("read_file", { project: "app", path, line_numbers: false })).toContain("one\r\ntwo\r\nthree\n");
  expect(await call("read_file", { project: "app", path: "image.png" })).toContain("a binary .png file of 4 bytes");
});

test("a folder is listed without what is hidden, and what is no file says so (F6)", async () => {
  expect(await call("list_dir", { project: "app" })).toContain("src/\nimage.png\nout (link)\n[1 hidden left out]");
  expect(await call("list_dir", { project: "app", path: "", hidden: true })).toContain("src/\n.env\nimage.png");
});

test("text and files are looked for in threads (F7)", async () => {
  expect(await call("search_files", { project: "app", pattern: "^t.o$" })).toContain("src/main.ts:2: two");
  expect(await call("find_files", { project: "app", pattern: "**/*.ts" })).toContain("src/main.ts");
});

test("a refusal names the project and the path as given, and the turn goes on (F3)", async () => {
  expect(await call("read_file", { project: "app", path: "out" })).toContain('"out" in project app: it leads out of');
  expect(await call("read_file", { project: "app", path: ".env" })).toContain("names like this hold secrets");
  expect(await call("read_file", { project: "app", path: "src/mian.ts" })).toContain('there is "main.ts"');
  expect(await call("read_file", { path: "a.md" })).toContain('say in which project "a.md" is: app, notes');
  expect(await call("list_dir", { project: "none" })).toContain('there is no project "none": app, notes');
});

test("the tools are of no peer, whoever asks (F13)", () => {
  const { toolbox } = running.service.core;
  for (const subagent of [false, true]) {
    expect(toolbox.for({ subagent, peer: false }).names).toContain("read_file");
    expect(toolbox.for({ subagent, peer: true }).names.filter((name) => /file|dir|project/.test(name))).toEqual([]);
  }
});

test("a saved change counts from the next call on, and switched off there is no file tool (F1, F14)", async () => {
  try {
    configure(`filesystem:\n  projects: [{name: only, path: "${folders.root}/notes"}]\n`);
    expect(running.live.reload()).toMatchObject({ ok: true });
    expect(await call("read_file", { path: "a.md" })).toContain("1\tnote");
    expect(await call("list_projects", {})).toContain(`only: ${folders.root}/notes, read only`);
    configure(`projects: [{name: app, path: "${folders.root}/app", fs: false}]\n`);
    running.live.reload();
    expect(await toolNames()).not.toContain("read_file");
    configure("filesystem: {enabled: false}\n");
    running.live.reload();
    expect(await toolNames()).not.toContain("list_projects");
    expect(await call("read_file", { path: "a.md" })).not.toContain("note");
    const status = await (await fetch(`${running.url}/api/runtime/status`)).json();
    expect(status).toMatchObject({ project: { path: null, allowed_dirs: [] } });
  } finally {
    configure(`filesystem:\n  projects: [{name: only, path: "${folders.root}/notes"}]\n`);
    running.live.reload();
  }
  expect(await toolNames()).toContain("read_file");
});

test("without projects the agent has a workspace that is made for it, readable by its owner only (F1)", async () => {
  configure("");
  running.live.reload();
  expect(await call("list_projects", {})).toContain(`workspace: ${folders.home}/workspace, read and write`);
  const status = await (await fetch(`${running.url}/api/runtime/status`)).json();
  const workspace = join(folders.home, "workspace");
  expect(status).toMatchObject({ fence: "descriptor", project: { path: workspace, allowed_dirs: [workspace] } });
  put("home/workspace/a.txt", "work");
  expect(await call("read_file", { path: "a.txt" })).toContain("1\twork");
  expect(await call("read_file", { path: "../tasks" })).toContain("it leads out of the project");
});

test("a folder that comes later is reached without a restart", async () => {
  configure(`projects: [{name: later, path: "${folders.root}/later"}]\n`);
  expect(running.live.reload()).toMatchObject({
    ok: true,
    warnings: [expect.stringMatching(/projects\.later\.path: .*no folder/)],
  });
  expect(await call("list_dir", { path: "." })).toContain("there are no projects");
  put("later/a.txt");
  await expect.poll(() => call("list_dir", { path: "." })).toContain("a.txt");
});

function load(config: string): unknown {
  const own = temporaryFolders(`model: {name: "scripted:demo"}\n${config}\n`);
  try {
    return loadServerSettings({ env: { SVC_HOME: own.home, SVC_CONFIG_DIR: own.config }, flags: {} });
  } finally {
    own.remove();
  }
}

test.each([
  ["the root of the file system", "projects: [{name: a, path: /}]"],
  ["what the kernel keeps", "projects: [{name: a, path: /proc/self}]"],
  ["a relative path", "projects: [{name: a, path: src}]"],
  ["two of a name", "filesystem: {projects: [{name: a, path: /x}, {name: A, path: /y}]}"],
  ["a name that is none", "filesystem: {projects: [{name: a/b, path: /x}]}"],
])("%s refuses the start with one line (S8)", (_what, config) => {
  expect(() => load(config)).toThrow(StartupError);
  expect(() => load(config)).toThrow(/^[^\n]*(projects|filesystem)[^\n]*$/);
});

test("a project in the home, and a workspace that is the home, refuse the start (F1, S8)", () => {
  const own = temporaryFolders();
  try {
    const env = { SVC_HOME: own.home, SVC_CONFIG_DIR: own.config };
    mkdirSync(join(own.home, "x"), { recursive: true });
    own.configure(`projects: [{name: a, path: "${own.home}/x"}]\n`);
    expect(() => loadServerSettings({ env, flags: {} })).toThrow(/projects\.a\.path: .*it lies in .*home/);
    own.configure("");
    expect(() => loadServerSettings({ env: { ...env, SVC_WORKSPACE: own.home }, flags: {} })).toThrow(/SVC_WORKSPACE/);
    own.configure(`projects: [{name: workspace, path: "${own.home}/workspace"}]\n`);
    expect(loadServerSettings({ env, flags: {} }).fence.projects).toMatchObject([{ name: "workspace", write: true }]);
    const elsewhere = loadServerSettings({ env: { ...env, SVC_WORKSPACE: own.root }, flags: {} });
    expect(elsewhere.fence.workspace).toBe(own.root);
  } finally {
    rmSync(own.root, { recursive: true, force: true });
  }
});

test("a store in the user's home keeps its own files there, and warns: what else lies there can be a project (FE4)", () => {
  const own = temporaryFolders();
  try {
    const user = join(own.root, "ada");
    mkdirSync(join(user, "src/app"), { recursive: true });
    mkdirSync(join(own.root, "link"));
    symlinkSync(user, join(own.root, "link/home"));
    const loaded = (store: string) => {
      own.configure(`checkpoint: {db_path: "${store}"}\nprojects: [{name: app, path: "${user}/src/app"}]\n`);
      const env = { SVC_HOME: own.home, SVC_CONFIG_DIR: own.config };
      return loadServerSettings({ env, flags: {}, userHome: user });
    };
    const inHome = loaded(`${own.root}/link/home/agent.db`);
    const beside = ["", "-wal", "-shm", "-journal"].map((end) => `${own.root}/link/home/agent.db${end}`);
    expect(inHome.fence.places).toEqual(expect.arrayContaining(beside));
    expect(inHome.fence.places).not.toContain(`${own.root}/link/home`);
    expect(inHome.fence.projects).toMatchObject([{ name: "app" }]);
    expect(inHome.warnings).toContainEqual(expect.stringContaining("put it in one of its own"));
    expect(loaded(`${user}/agent/agent.db`).fence.places).toContain(`${user}/agent`);
    expect(() => loaded(`${user}/src/agent.db`)).toThrow(/it lies in .*src/);
  } finally {
    rmSync(own.root, { recursive: true, force: true });
  }
});
