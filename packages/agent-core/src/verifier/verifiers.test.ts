import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyVerifier, defineVerifier } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { board } from "../board/index.ts";
import { coreBench } from "../core-bench.ts";
import { createEgress } from "../egress/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { filesystem } from "../filesystem/index.ts";
import { MARKER } from "../process/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type CheckRun, type CheckVerdict, verification } from "./index.ts";

const bench = coreBench();
afterAll(() => bench.remove());
let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "verifier-")));
  mkdirSync(join(base, "app"));
});
afterEach(async () => {
  await bench.end();
  rmSync(base, { recursive: true, force: true });
});

const put = (name: string, content: string): void => writeFileSync(join(base, "app", name), content);
const OPERATOR = { by: "operator", model: true } as const;

interface SceneOptions {
  readonly verifiers?: readonly AnyVerifier[];
  readonly refused?: () => string | undefined;
  readonly path?: string;
  readonly projects?: boolean;
}

async function scene({ verifiers = [], refused = () => undefined, path, projects = true }: SceneOptions = {}) {
  const registry = new ProjectRegistry(projects ? [projectAt({ name: "app", path: join(base, "app") })] : []);
  const places = new ProtectedPlaces([]);
  const fence = new Fence({ projects: () => registry, places: () => places, userHome: base });
  const core = await bench.start({
    model: scriptedModel(() => "done"),
    verifiers: { mine: verifiers },
    features: [
      filesystem({ fence }),
      board({ url: () => ":memory:" }),
      verification({
        inherited: { ...process.env, PATH: path ?? process.env.PATH, SECRET_OF_THE_SERVICE: "leaked" },
        egress: () => createEgress({ allowedHosts: ["127.0.0.1"] }),
        commandsRefused: refused,
      }),
    ],
  });
  const known = core.features.verification;
  return {
    ...{ core, known },
    prepare: (given: unknown, asked: Partial<Parameters<typeof known.prepare>[1]> = {}) =>
      known.prepare(given, { ...OPERATOR, ...asked }),
    async check(given: unknown, run: Partial<CheckRun> = {}): Promise<CheckVerdict> {
      const prepared = await known.prepare(given, OPERATOR);
      return known.check(prepared, { signal: AbortSignal.timeout(60_000), owner: "test", timeoutS: 30, ...run });
    },
  };
}

describe("command and test", () => {
  test("the exit code decides; evidence is what was written, without secrets, and the environment is a short one (G12)", async () => {
    const { check } = await scene();
    expect(await check({ type: "command", command: "echo fine | tr a-z A-Z" })).toMatchObject({
      ...{ met: true, reason: "The command ended with exit code 0.", evidence: "FINE\n" },
    });
    const unmet = await check({
      type: "command",
      command: "env; echo sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345; exit 3",
    });
    expect(unmet).toMatchObject({ met: false, reason: "The command ended with exit code 3." });
    expect(unmet.evidence).not.toMatch(/leaked|abcdefghijklmnop/);
    const names = unmet.evidence.split("\n").flatMap((line) => /^([A-Za-z_]+)=/.exec(line)?.[1] ?? []);
    // Bash sets some itself, and every program has its marker.
    const set = ["PWD", "OLDPWD", "SHLVL", "_", MARKER];
    expect(names.filter((name) => !set.includes(name)).toSorted()).toEqual(
      ["HOME", "LANG", "PATH", "TZ"].filter((name) => process.env[name] !== undefined),
    );
  });

  test("a check that never ends, or leaves others running, is ended with all of them; a flood is cut (VE1, VE2)", async () => {
    const { check } = await scene();
    const late = check({ type: "command", command: "(sleep 1000 &) ; setsid sleep 1000 & sleep 1000", timeout: 1 });
    await expect(late).rejects.toMatchObject({ code: "verifier.failed", message: expect.stringContaining("1 s") });
    const flood = await check({ type: "command", command: "yes 0123456789 | head -c 20000000; echo the-end" });
    expect(flood.evidence).toContain("the-end");
    expect(Buffer.byteLength(flood.evidence)).toBeLessThanOrEqual(8_192);
    const given = new AbortController();
    const stopped = check({ type: "command", command: "sleep 1000" }, { signal: given.signal });
    given.abort(new Error("no longer wanted"));
    await expect(stopped).rejects.toThrow("no longer wanted");
    await expect(check({ type: "command", command: "kill -9 $$" })).rejects.toThrow("SIGKILL");
  });

  test.each([
    ["node", "ℹ tests 0\nℹ pass 0", 0],
    ["node", "# tests 3\n# pass 3", 3],
    ["vitest", "      Tests  12 passed (12)", 12],
    ["vitest", "No test files found, exiting with code 0", 0],
    ["jest", "Tests:       1 skipped, 4 passed, 5 total", 5],
    ["jest", "No tests found, exiting with code 0", 0],
    ["pytest", "===== no tests ran in 0.01s =====", 0],
    ["pytest", "===== 2 passed in 0.01s =====", 2],
    ["go", "?   \texample.org/a\t[no test files]", 0],
    ["go", "ok  \texample.org/a\t0.1s", 1],
    ["cargo", "running 0 tests\n\nrunning 0 tests", 0],
    ["cargo", "running 0 tests\n\nrunning 7 tests", 7],
    ["mocha", "  0 passing (2ms)", 0],
    ["tap", "1..0", 0],
  ] as const)("the summary of %s %j: exit code 0 without a test is not met", async (runner, output, tests) => {
    put("out", output);
    const { check } = await scene();
    const expected = tests === 0 ? { met: false, reason: "No test ran." } : { met: true };
    expect(await check({ type: "test", command: "cat out" })).toMatchObject(expected);
    expect(await check({ type: "test", command: "cat out", runner })).toMatchObject(expected);
    expect(await check({ type: "test", command: "cat out; exit 1", runner })).toMatchObject({ met: false });
  });

  test("a pinned file that is changed, before or by the check, makes it not met (VE3)", async () => {
    put("a.test.js", "strict");
    const { known, prepare } = await scene();
    const run = { signal: AbortSignal.timeout(60_000), owner: "test", timeoutS: 30 };
    const prepared = await prepare({ type: "test", command: "true", pin: ["a.test.js"] });
    expect(await known.check(prepared, run)).toMatchObject({ met: true });
    put("a.test.js", "weaker");
    expect(await known.check(prepared, run)).toMatchObject({ met: false, reason: "tampered: a.test.js" });
    put("a.test.js", "strict");
    const changing = await prepare({ type: "command", command: "echo x > a.test.js", pin: ["a.test.js"] });
    expect(await known.check(changing, run)).toMatchObject({ met: false, reason: "tampered: a.test.js" });
    rmSync(join(base, "app/a.test.js"));
    expect(await known.check(prepared, run)).toMatchObject({ met: false, reason: "tampered: a.test.js" });
    await expect(prepare({ type: "command", command: "true", pin: ["missing"] })).rejects.toMatchObject({
      code: "verifier.invalid",
    });
  });
});

describe("ci", () => {
  function fakeGh(script: string): string {
    const folder = join(base, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "gh"), `#!/bin/sh\npwd > ${base}/where\necho "$@" > ${base}/asked\n${script}\n`);
    chmodSync(join(folder, "gh"), 0o755);
    return `${folder}:${process.env.PATH}`;
  }

  test.each([
    [`echo '[{"name":"build","bucket":"pass"},{"name":"docs","bucket":"skipping"}]'`, true, "All 2 checks passed."],
    [`echo '[{"name":"build","bucket":"pass"},{"name":"e2e","bucket":"pending"}]'; exit 8`, false, "1 are pending"],
    [`echo '[{"name":"build","bucket":"fail"}]'; exit 1`, false, "1 of 1 checks failed"],
    [`echo "no checks reported on the 'x' branch" >&2; exit 1`, false, "There are no checks yet."],
  ])("the checks of a pull request as %j", async (script, met, reason) => {
    const { check } = await scene({ path: fakeGh(script) });
    const verdict = await check({ type: "ci", pr: 7, repo: "owner/name" });
    expect(verdict).toMatchObject({ met, reason: expect.stringContaining(reason) });
  });

  test("the latest run of a branch; what cannot be read is no verdict; a repository is needed", async () => {
    const run = `echo '[{"name":"ci","status":"completed","conclusion":"success","url":"https://x.example/1"}]'`;
    const { check, prepare } = await scene({
      path: fakeGh(`case "$*" in *main*) ${run};; *) echo "no such" >&2; exit 4;; esac`),
    });
    expect(await check({ type: "ci", branch: "main", repo: "o/n" })).toMatchObject({ met: true });
    await expect(check({ type: "ci", branch: "other", repo: "o/n" })).rejects.toThrow("exit code 4");
    await expect(prepare({ type: "ci", branch: "main" })).rejects.toThrow("repository");
    for (const bad of [{ branch: "--help" }, { branch: "a", pr: 1 }, {}])
      await expect(prepare({ type: "ci", repo: "o/n", ...bad })).rejects.toMatchObject({ code: "verifier.invalid" });
  });
});

describe("data", () => {
  test("a text or an expression; a missing file is not met; other than JSON is no verdict", async () => {
    put("state.json", JSON.stringify({ done: true, items: [1, 2] }));
    put("log.txt", `start ${"x".repeat(1_000)} finished ${"y".repeat(1_000)}`);
    const { check } = await scene();
    expect(await check({ type: "data", path: "log.txt", contains: "finished" })).toMatchObject({ met: true });
    expect(await check({ type: "data", path: "log.txt", contains: "broken" })).toMatchObject({ met: false });
    expect(await check({ type: "data", path: "state.json", expr: "done and $count(items) = 2" })).toMatchObject({
      ...{ met: true, evidence: "true" },
    });
    const two = await check({ type: "data", path: "state.json", expr: "items[-1]" });
    expect(await check({ type: "data", path: "state.json", expr: "items" })).toMatchObject({
      met: true,
      evidence: "[1,2]",
    });
    put("state.json", JSON.stringify({ items: [1, 3] }));
    expect((await check({ type: "data", path: "state.json", expr: "items[-1]" })).digest).not.toBe(two.digest);
    expect(await check({ type: "data", path: "none", contains: "x" })).toMatchObject({ met: false });
    await expect(check({ type: "data", path: "log.txt", expr: "a" })).rejects.toThrow("no JSON");
  });

  // One that only the system can end is in the test of the free loop: it takes five seconds.
  test("an expression that recurses or fills the memory ends in time, and the next one works", async () => {
    put("a.json", "{}");
    const { check } = await scene();
    for (const expr of ["($f := function($n) { $f($n + 1) }; $f(0))", "[1..10000000].[1..10000000]"])
      await expect(check({ type: "data", path: "a.json", expr })).rejects.toMatchObject({ code: "verifier.failed" });
    expect(await check({ type: "data", path: "a.json", expr: "1 = 1" })).toMatchObject({ met: true });
    const wrong = check({ type: "data", path: "a.json", expr: "secretive (" });
    await expect(wrong).rejects.toMatchObject({
      code: "verifier.invalid",
      message: expect.not.stringContaining("secretive"),
    });
  });
});

describe("plugins and core", () => {
  const least = defineVerifier({
    name: "at_least",
    description: "Whether a number is large enough.",
    args: v.object({ least: v.number() }),
    check: ({ least }) => ({ met: least <= 3, value: least, reason: "It was compared with 3.", evidence: "3" }),
  });
  const bad = (name: string, check: () => unknown): AnyVerifier =>
    defineVerifier({ name, description: "Bad.", args: v.object({}), check: check as () => never });

  test("one of a plugin is checked with its arguments, listed with their schema, and fails alone (G12)", async () => {
    const { check, prepare, known } = await scene({
      verifiers: [
        least,
        bad("throws", () => {
          throw new Error("no network");
        }),
        bad("lies", () => ({ met: "yes" })),
        bad("hangs", () => new Promise(() => {})),
      ],
    });
    expect(await check({ type: "plugin", check: "mine:at_least", args: { least: 4 } })).toMatchObject({ met: false });
    await expect(prepare({ type: "plugin", check: "mine:at_least", args: { least: "4" } })).rejects.toThrow("least");
    await expect(prepare("mine:unknown")).rejects.toMatchObject({ code: "verifier.invalid" });
    await expect(check("mine:throws")).rejects.toThrow("no network");
    await expect(check("mine:lies")).rejects.toThrow("returned no verdict");
    await expect(check("mine:hangs", { timeoutS: 1 })).rejects.toThrow("1 s");
    expect(known.list().map(({ name }) => name)).toEqual([
      ...["core:board", "core:task", "core:url"],
      ...["mine:at_least", "mine:hangs", "mine:lies", "mine:throws"],
    ]);
    expect(known.list()[3]).toMatchObject({ args: { properties: { least: { type: "number" } }, required: ["least"] } });
  });

  test("a page by its status, a text and its JSON, through the egress guard", async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === "/gone" ? 404 : 200;
      response.end(JSON.stringify({ version: request.url }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { check } = await scene();
    const page = (path: string, more: object = {}) =>
      check({ type: "plugin", check: "core:url", args: { url: url + path, ...more } });
    expect(await page("/a")).toMatchObject({ met: true });
    expect((await page("/a")).digest).not.toBe((await page("/b")).digest);
    expect(await page("/gone")).toMatchObject({ met: false, reason: "The page answered with status 404." });
    expect(await page("/gone", { status: 404 })).toMatchObject({ met: true });
    expect(await page("/a", { contains: "version" })).toMatchObject({ met: true });
    expect(await page("/a", { expr: "version = '/b'" })).toMatchObject({ met: false });
    const inside = check({ type: "plugin", check: "core:url", args: { url: "http://169.254.169.254/" } });
    await expect(inside).rejects.toMatchObject({ code: "verifier.failed" });
    await new Promise((resolve) => server.close(resolve));
  });

  test("an issue of the board, and a task", async () => {
    const { check, core } = await scene();
    const issue = await core.features.board.issues.create({ title: "Mend it" });
    const ofBoard = { type: "plugin", check: "core:board", args: { issue_id: issue.id } };
    expect(await check(ofBoard)).toMatchObject({ met: false, reason: "The issue is open." });
    await core.features.board.issues.close(issue.id, "mended");
    expect(await check(ofBoard)).toMatchObject({ met: true, evidence: expect.stringContaining("mended") });
    const task = await core.tasks.start({ text: "hello" });
    await task.settled();
    expect(await check({ type: "plugin", check: "core:task", args: { task_id: task.id } })).toMatchObject({
      met: true,
    });
    await expect(check({ type: "plugin", check: "core:task", args: { task_id: "none" } })).rejects.toThrow(
      "no such task",
    );
  });
});

test("who asks decides what may be set, and an open instance sets no commands (G12)", async () => {
  let refused: string | undefined;
  const { prepare, check } = await scene({ refused: () => refused });
  const command = { type: "command", command: "true" };
  const data = { type: "data", path: "a", contains: "b" };
  for (const given of [command, { ...command, type: "test" }, { type: "ci", pr: 1, repo: "o/n" }, data]) {
    for (const by of ["chat", "agent"] as const)
      await expect(prepare(given, { by })).rejects.toMatchObject({ code: "verifier.refused" });
    expect(await prepare(given)).toMatchObject({ spec: given });
  }
  expect(await prepare("llm", { by: "chat" })).toMatchObject({ spec: { type: "llm" } });
  await expect(prepare("llm", { by: "agent" })).rejects.toMatchObject({ code: "verifier.refused" });
  await expect(prepare("llm", { model: false })).rejects.toMatchObject({ code: "verifier.invalid" });
  const held = await prepare(command);
  expect(held.project).toBe("app");
  refused = "this instance is open to others";
  await expect(prepare(command)).rejects.toMatchObject({ code: "verifier.refused", message: refused });
  await expect(check("llm")).rejects.toThrow("no model judges here");
  const judged = { met: true, reason: "It is done.", evidence: "the calls", unmet: [] };
  expect(await check("llm", { judge: async () => judged })).toMatchObject(judged);
});

test("what cannot be checked is refused, and nothing of it repeated", async () => {
  const { prepare } = await scene();
  await expect(prepare("release")).rejects.toThrow("a verifier's name has two parts, such as core:url");
  for (const given of [
    ...[undefined, null, 7, [], {}, "command", { type: "shell", command: "x" }, { type: "command" }],
    ...[
      { type: "command", command: "x", extra: "sk-secret" },
      { type: "command", command: "x", timeout: 3_601 },
    ],
    ...[
      { type: "data", path: "../../etc/passwd", contains: "sk-secret" },
      { type: "data", path: "a" },
    ],
    ...[
      { type: "data", path: "a", contains: "x", expr: "y" },
      { type: "command", command: "x", cwd: "/etc" },
    ],
    { type: "command", command: "x".repeat(2_000_000) },
  ]) {
    const error: unknown = await prepare(given).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "verifier.invalid", message: expect.not.stringMatching(/sk-secret|passwd/) });
  }
  await expect(prepare({ type: "command", command: "x" }, { project: "other" })).rejects.toThrow("no such project");
  const without = await scene({ projects: false });
  await expect(without.prepare({ type: "command", command: "x" })).rejects.toThrow("no projects");
});
