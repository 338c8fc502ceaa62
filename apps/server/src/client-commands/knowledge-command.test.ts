/** `agent-service knowledge` against a running service (K21, K22, K24). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { embeddingDouble } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { EXIT } from "./index.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: 'model: { name: "scripted:demo" }\n' });
});
afterAll(() => running.stop());

function run(args: readonly string[], piped?: string, service = running) {
  const { home, config } = service.folders;
  const env = { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: service.url };
  return runCommand(["knowledge", ...args], { env, ...(piped !== undefined && { piped }) });
}

it("adds, finds, reads documents, removes and restores them, also as JSON", async () => {
  expect((await run([])).stderr).toBe("There are no memories.\n");
  expect(await run(["add", "With oat milk.", "--subject", "coffee", "--domain", "Likes"])).toMatchObject({
    ...{ code: EXIT.ok, stdout: "Stored memory 1 in 'likes'\n", stderr: "" },
  });
  const file = join(running.folders.root, "ferns.md");
  writeFileSync(file, "# Ferns\n\nWater them on Monday.");
  expect((await run(["ingest", file, "--domain", "plants"])).stdout).toBe("Read source 1, Ferns: 1 memory\n");
  expect((await run(["search", "water monday"])).stdout).toMatch(/#2 +plants +outside +Ferns: Water them/);
  expect((await run(["sources"])).stdout).toMatch(/1 +plants +markdown +ready +1\/1 .*Ferns/);
  expect((await run(["rm", "--source", "1"])).stdout).toContain("Removed source 1 with 1 memory;");
  expect((await run(["search", "monday"])).stderr).toBe("No matches.\n");
  expect(JSON.parse((await run(["sources", "--removed", "--json"])).stdout).sources).toMatchObject([
    { state: "removed" },
  ]);
  expect((await run(["restore", "1"])).stdout).toBe("Source 1 is back, with 1 memory\n");
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

it("measures how well memories are found, with questions of a file or of their headings, and by meaning where that is on", async () => {
  await using double = await embeddingDouble();
  const config = `providers:
  - { id: local, type: compat-gateway, base_url: ${double.baseUrl} }
model: { name: "scripted:demo" }
knowledge: { embed_model: "local:small", recall_timeout_ms: 60000, embeddings: `;
  await using other = await startTestService({ config: `${config}false }\n` });
  const of = async (...args: string[]) => run(args, undefined, other);
  const bench = async (...args: string[]) => JSON.parse((await of("bench", "--json", ...args)).stdout);
  expect(await of("bench")).toMatchObject({ code: EXIT.failed, stderr: expect.stringContaining("nothing to ask") });
  await of("add", "The automobile is in the garage.", "--subject", "car");
  await of("add", "Ferns like shade.", "--subject", "ferns");
  expect(await bench()).toMatchObject({ questions: 2, made: true, modes: [{ mode: "keyword", recall_at_5: 1 }] });
  const file = join(other.folders.root, "questions.jsonl");
  const asked = [
    { question: "Where is the vehicle, the auto?", answers: ["automobile  IS"] },
    { question: "Which ferns like shade?", answers: [2] },
  ];
  writeFileSync(file, asked.map((one) => JSON.stringify(one)).join("\n"));
  expect((await bench("--questions", file)).modes).toMatchObject([
    { recall_at_1: 0.5, mean_reciprocal_rank: 0.5, missed: ["Where is the vehicle, the auto?"] },
  ]);
  other.folders.configure(`${config}true }\n`);
  other.live.reload();
  await expect.poll(async () => (await bench()).indexing).toBe(false);
  const { modes } = await bench("--questions", file);
  expect(modes.map(({ mode }: { mode: string }) => mode)).toEqual(["keyword", "vector", "hybrid"]);
  expect(modes.map(({ recall_at_5 }: { recall_at_5: number }) => recall_at_5)).toEqual([0.5, 1, 1]);
  const shown = await of("bench", "--questions", file);
  expect(shown.stdout).toMatch(/hybrid +1\.00 +1\.00 +1\.00/);
  expect(shown.stderr).toContain("2 questions.");
  writeFileSync(file, '{"question":"x","answers":[]}');
  expect(await of("bench", "--questions", file)).toMatchObject({ code: EXIT.usage });
  expect((await of("bench", "--questions", "/none")).stderr).toContain("ENOENT");
});
