/** `agent-service knowledge` against a running service (K21, K22, K24). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { type CommandIo, EXIT, runClientCommand } from "./index.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: 'model: { name: "scripted:demo" }\n' });
});
afterAll(() => running.stop());

async function run(args: readonly string[], piped?: string) {
  const out = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      out[name] += text;
    },
    terminal: false,
    columns: 200,
  });
  const io: CommandIo = {
    env: { SVC_HOME: running.folders.home, SVC_CONFIG_DIR: running.folders.config, SVC_URL: running.url },
    ...{ stdout: sink("stdout"), stderr: sink("stderr"), keyboard: undefined, checkoutRoot: undefined },
    piped: piped === undefined ? undefined : async () => piped,
    onInterrupt: () => () => {},
    pause: async () => {},
  };
  return { code: await runClientCommand(["knowledge", ...args], io), ...out };
}

it("adds, finds, reads documents, removes and restores them, also as JSON", async () => {
  expect((await run([])).stderr).toBe("There are no memories.\n");
  expect(await run(["add", "With oat milk.", "--subject", "coffee", "--domain", "Likes"])).toMatchObject({
    ...{ code: EXIT.ok, stdout: "Stored memory 1 in 'likes'\n", stderr: "" },
  });
  const file = join(running.folders.root, "ferns.md");
  writeFileSync(file, "# Ferns\n\nWater them on Monday.");
  expect((await run(["ingest", file, "--domain", "plants"])).stdout).toBe("Read source 1, Ferns: 1 memory\n");
  expect((await run(["search", "water monday"])).stdout).toMatch(/#2 +plants +outside +Ferns › Ferns: Water them/);
  expect((await run(["sources"])).stdout).toMatch(/1 +plants +markdown +ready +1\/1 .*Ferns/);
  expect((await run(["rm", "--source", "1"])).stdout).toContain("Removed source 1 with 1 memories");
  expect((await run(["search", "monday"])).stderr).toBe("No matches.\n");
  expect(JSON.parse((await run(["sources", "--removed", "--json"])).stdout).sources).toMatchObject([
    { state: "removed" },
  ]);
  expect((await run(["restore", "1"])).stdout).toBe("Source 1 is back, with 1 memories\n");
  expect(JSON.parse((await run(["search", "coffee", "--json"])).stdout).results).toMatchObject([{ id: 1 }]);
  expect((await run(["rm", "#1"])).stdout).toBe("Deleted memory 1\n");
});

it("exports and imports, once per text and domain, and names lines that are no memories", async () => {
  await run(["add", 'Tea is "hot".', "--domain", "likes"]);
  const exported = await run(["export"]);
  const lines = exported.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual([
    expect.objectContaining({ content: "Water them on Monday.", trust: "outside", domain: "plants" }),
    expect.objectContaining({ content: 'Tea is "hot".', trust: "operator", domain: "likes" }),
  ]);
  expect((await run(["import", "-"], exported.stdout)).stdout).toBe("Stored 0 memories; 2 were there\n");
  const more = `{"content":"New.","trust":"outside"}\n\nno json\n{"content":""}\n[]\n{"content":"x","memory_kind":"whim"}\n{"content":"New."}\n`;
  const imported = await run(["import", "-", "--json"], more);
  expect(imported.code).toBe(EXIT.failed);
  expect(JSON.parse(imported.stdout)).toMatchObject({
    added: 1,
    known: 1,
    refused: [3, 4, 5, 6].map((line) => ({ line })),
  });
  expect((await run(["export", "--domain", "General"])).stdout).toMatch(
    /^\{"content":"New\."[^\n]*"trust":"outside"[^\n]*\n$/,
  );
});

it.each([
  ["an unknown form", ["rename"], EXIT.usage],
  ["a flag of another form", ["sources", "--title", "x"], EXIT.usage],
  ["a number that is none", ["rm", "x"], EXIT.usage],
  ["a file that is not there", ["ingest", "/nowhere/at/all"], EXIT.usage],
  ["standard input that is a terminal", ["import", "-"], EXIT.usage],
])("refuses %s", async (_, args, code) => {
  expect((await run(args)).code).toBe(code);
});

it("says what the service says of what it does not do", async () => {
  for (const args of [
    ["restore", "99"],
    ["ingest", "http://127.0.0.1:1/"],
  ]) {
    const { code, stderr } = await run(args);
    expect(code).not.toBe(EXIT.ok);
    expect(stderr).not.toBe("");
  }
});
