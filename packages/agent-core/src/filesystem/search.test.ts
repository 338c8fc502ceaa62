/** Trees looked through in threads, held by descriptors and by checked paths (F6, F7; FE1, FE2, FE4). */
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import { parse } from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { findFiles } from "./find-files.ts";
import { openTree } from "./open-tree.ts";
import { runTreeJob } from "./run-tree-job.ts";
import { searchFiles } from "./search-files.ts";
import type { TreePart } from "./tree-message.ts";
import { TreeThreads } from "./tree-threads.ts";

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "search-")));
  put("app/src/a.ts", "const needle = 1;\r\nlet other;\r\n");
  put("app/src/deep/b.ts", "// Needle here\nneedle again\nlast");
  put("app/src/deep/skip.log", "needle");
  put("app/src/.gitignore", "*.log\n!kept.log\n");
  put("app/src/deep/kept.log", "needle kept");
  put("app/node_modules/x.js", "needle");
  put("app/.gitignore", "/node_modules\n");
  put("app/.git/needle", "needle");
  put("app/.env", "needle");
  put("app/bin", Buffer.from("needle\0"));
  put("app/latin", Buffer.from([0x6e, 0xe9]));
  put("app/large.txt", "needle ".repeat(700_000));
  put("app/home/secret.txt", "needle");
  put("app/closed/c.txt", "needle");
  put("outside/canary.txt", "needle canary");
  linkSync(join(base, "app/home/secret.txt"), join(base, "app/hard.txt"));
  symlinkSync("../outside", join(base, "app/link"));
  symlinkSync("../outside/canary.txt", join(base, "app/linked.txt"));
  symlinkSync(".", join(base, "app/loop"));
  execFileSync("mkfifo", [join(base, "app/pipe")]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): void {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function fenceOf(holding: "descriptor" | "checked"): Fence {
  const registry = new ProjectRegistry([
    projectAt({ name: "app", path: join(base, "app") }),
    projectAt({ name: "closed", path: join(base, "app/closed"), fs: false }),
  ]);
  const places = new ProtectedPlaces([join(base, "app/home")]);
  return new Fence({ projects: () => registry, places: () => places, holding });
}

describe.each(["descriptor", "checked"] as const)("held by %s", (holding) => {
  // The same job as in a thread, without the thousand starts of one.
  const threads: Pick<TreeThreads, "run"> = {
    run(job) {
      const parts: TreePart[] = [];
      runTreeJob(job, (part) => void parts.push(part));
      const { skipped, ended = "all" } = parts.at(-1)!;
      return Promise.resolve({ lines: parts.flatMap(({ lines }) => lines), skipped, ended });
    },
  };
  const run = async (make: typeof findFiles, args: object): Promise<string> => {
    const tool = make(fenceOf(holding), threads, () => false);
    return (await tool.run(parse(tool.input, args), fakeContext())) as string;
  };
  const search = (args: object): Promise<string> => run(searchFiles, args);
  const find = (args: object): Promise<string> => run(findFiles, args);

  test("what is found is text inside the project, and what was left out is counted (F7)", async () => {
    expect(await search({ pattern: "needle" })).toBe(
      [
        "src/a.ts:1: const needle = 1;",
        "src/deep/b.ts:2: needle again",
        "src/deep/kept.log:1: needle kept",
        "[left out: 2 ignored, 2 binary, 1 over 4 MiB, 1 with names that hold secrets]",
      ].join("\n"),
    );
    expect(await search({ pattern: "needle", include_ignored: true })).toContain("node_modules/x.js:1: needle\n");
  });

  test("expressions, context, kinds of output and one file (F6)", async () => {
    expect(await search({ pattern: "^needle .*n$", path: "src" })).toBe(
      "src/deep/b.ts:2: needle again\n[left out: 1 ignored]",
    );
    expect(await search({ pattern: "(?i)^// NEEDLE", path: "src/deep/b.ts", context_lines: 1 })).toBe(
      "src/deep/b.ts:1: // Needle here\nsrc/deep/b.ts-2- needle again",
    );
    expect(await search({ pattern: "e", path: "src/deep", output: "count", glob: "*.ts" })).toContain(
      "src/deep/b.ts: 2",
    );
    expect(await search({ pattern: "needle", output: "files", path: "src/deep" })).toBe(
      "src/deep/b.ts\nsrc/deep/kept.log\n[left out: 1 ignored]",
    );
    expect(await search({ pattern: "a(", regex: false })).toContain("Nothing was found.");
    expect(await search({ pattern: "needle", limit: 2 })).toContain("[there is more: the first 2 are shown]");
    expect(await search({ pattern: "1;$", path: "src" })).toContain("src/a.ts:1: const needle = 1;\n");
    await expect(search({ pattern: "a(" })).rejects.toMatchObject({ code: "search.bad-pattern" });
  });

  test("files are found by glob, the newest first (F7)", async () => {
    utimesSync(join(base, "app/src/a.ts"), 2_000, 2_000);
    utimesSync(join(base, "app/src/deep/b.ts"), 3_000, 3_000);
    expect(await find({ pattern: "*.ts" })).toMatch(/^src\/deep\/b\.ts\nsrc\/a\.ts\n/);
    expect(await find({ pattern: "deep/*.log", path: "src" })).toBe("src/deep/kept.log\n[left out: 1 ignored]");
    expect(await find({ pattern: "**/*.js", include_ignored: true })).toMatch(/^node_modules\/x\.js\n/);
    expect(await find({ pattern: "*canary*" })).toContain("Nothing was found.");
    expect(await find({ pattern: "secret.txt" })).toContain("Nothing was found.");
  });
});

test("a search whose caller leaves ends its thread, and gives its place to the next", async () => {
  const alone = new TreeThreads({ most: 1 });
  const tree = await openTree(fenceOf("descriptor"), { project: "", path: "large.txt", includeIgnored: true });
  put("app/slow.txt", `${"a".repeat(40)}!`);
  const slow = await openTree(fenceOf("descriptor"), { project: "", path: "slow.txt", includeIgnored: true });
  const job = {
    kind: "search",
    flags: "",
    literal: false,
    glob: "",
    context: 0,
    output: "content",
    limit: 1,
  } as const;
  const hostile = { ...job, pattern: "^(a+)+$" };
  const caller = new AbortController();
  const left = alone.run({ ...hostile, start: slow.start, deadlineMs: 60_000 }, caller.signal);
  const next = alone.run({ ...job, start: tree.start, pattern: "x", deadlineMs: 60_000 }, AbortSignal.any([]));
  caller.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(await next).toMatchObject({ lines: [], ended: "all" });
  const ended = await alone.run({ ...hostile, start: slow.start, deadlineMs: 1 }, AbortSignal.any([]));
  expect(ended.ended).toBe("time");
  await Promise.all([tree.close(), slow.close()]);
  rmSync(join(base, "app/slow.txt"));
});
