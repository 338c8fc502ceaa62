/** `agent-service memory` against a running service (K12, K14, K15). */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { PATIENT_RECALL, startTestService, type TestService, WITH_SUMMARIES } from "../testing/test-service.ts";
import { EXIT } from "./index.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    config: `model: { name: "scripted:demo" }\n${PATIENT_RECALL}`,
    env: WITH_SUMMARIES,
  });
});
afterAll(() => running.stop());

function run(...args: readonly string[]) {
  const { home, config } = running.folders;
  return runCommand(["memory", ...args], { env: { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: running.url } });
}

const post = (path: string, body: object) =>
  fetch(`${running.url}${path}`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
const say = (session_id: string, message: string) => post("/api/chat", { session_id, message });

it("lists what is kept of conversations, reads, harvests and deletes it, also as JSON", async () => {
  expect((await run()).stderr).toBe("Nothing is kept of a conversation.\n");
  await say("birds", "Where do the herons nest?");
  expect((await run("sessions")).stdout).toMatch(/birds +chat +2 .* yes +Where do the herons nest\?/);
  expect((await run("show", "birds")).stdout).toMatch(/^# Where do the herons nest\?\n\nchat, until/);
  expect((await run("harvest", "birds")).stdout).toBe("Its memories are stored\n");
  expect((await run("harvest", "birds")).stdout).toBe("Nothing was said since the last time\n");
  expect(JSON.parse((await run("sessions", "--json")).stdout).sessions).toMatchObject([{ session_id: "birds" }]);
  expect((await run("rm", "birds")).stdout).toBe("Deleted the summary of birds\n");
  expect((await run("show", "birds")).code).not.toBe(EXIT.ok);
});

it("decides about what waits, and lists what is always on", async () => {
  await post("/api/knowledge/chunks", { content: "Black.", subject: "coffee", domain: "hot" });
  expect((await run("hot")).stdout).toMatch(/operator +coffee: Black\./);
  expect((await run("review")).stderr).toBe("Nothing waits for you.\n");
  for (const content of ["With sugar.", "With ice."])
    await say("s", `/call memory_ingest ${JSON.stringify({ content, subject: "coffee", domain: "hot" })}`);
  const [first, second] = (await run("review")).stdout.match(/#\d+/g) ?? [];
  expect((await run("review", first ?? "", "--accept")).stdout).toMatch(/^Memory \d+ is accepted\n$/);
  expect((await run("review", second ?? "", "--reject")).stdout).toMatch(/^Memory \d+ is rejected\n$/);
});

it("forgets for good, counts before, and says what was forgotten", async () => {
  expect((await run("forget", "--subject", "nothing")).stderr).toBe("There is nothing of the kind.\n");
  expect((await run("receipts")).stderr).toBe("Nothing was forgotten.\n");
  await post("/api/knowledge/chunks", { content: "Ferns want shade.", subject: "ferns" });
  const counts = "1 memory";
  expect((await run("forget", "--subject", "Ferns", "--dry-run")).stdout).toBe(`Would forget ${counts}\n`);
  const done = await run("forget", "--subject", "ferns");
  expect(done.stdout).toBe(`Forgot ${counts}; receipt 1\n`);
  expect(done.stderr).toContain("stays: ");
  expect((await run("receipts")).stdout).toMatch(/1 +subject .* 1 memory\n/);
});

it("verifies in the bytes of memory's files that nothing of it is left (KM6)", async () => {
  const content = "The bittern booms behind the old lime kiln every evening in May.";
  await post("/api/knowledge/chunks", { content, subject: "bittern" });
  await say("kiln", "Where does the bittern boom?");
  const done = await run("forget", "--subject", "bittern", "--verify");
  expect(done.stdout).toMatch(/Verified: none of 2 passages in \d+ files, \d+ bytes\n$/);
  expect(done.code).toBe(EXIT.ok);
  await post("/api/knowledge/chunks", { content, subject: "bittern" });
  // What is still there is found: a copy that forgetting does not know of.
  const asked = await post("/api/memory/forget", { subject: "bittern", dry_run: true, texts: true });
  const { places } = (await asked.json()) as { readonly places: readonly string[] };
  const folder = places.find((place) => place.endsWith("memory")) ?? "";
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "copy.txt"), content);
  const found = await run("forget", "--subject", "bittern", "--verify");
  expect([found.code, found.stdout]).toEqual([EXIT.failed, expect.stringMatching(/STILL THERE: 2 of .*copy\.txt\n$/)]);
  // A file that cannot be read fails the verification; the error still names the receipt.
  await post("/api/knowledge/chunks", { content, subject: "bittern" });
  const deep = "x".repeat(250);
  const nest = `mkdir ${deep}; for level in $(seq 20); do mkdir above && mv ${deep} above && mv above ${deep}; done`;
  execFileSync("sh", ["-c", nest], { cwd: folder });
  try {
    const unread = await run("forget", "--subject", "bittern", "--verify");
    expect(unread.stderr).toMatch(/^agent-service: forgotten \(receipt \d+\), but not verified: ENAMETOOLONG/);
    expect([unread.code, unread.stdout]).toEqual([EXIT.failed, ""]);
  } finally {
    execFileSync("rm", ["-rf", deep], { cwd: folder });
  }
});

it.each([
  [["sessions", "more"]],
  [["show"]],
  [["forget"]],
  [["forget", "--memory", "1", "--subject", "x"]],
  [["forget", "--memory", "x"]],
  [["forget", "--memory", "1", "--dry-run", "--verify"]],
  [["review", "1"]],
  [["review", "1", "--accept", "--reject"]],
  [["hot", "--limit", "3"]],
  [["dream"]],
])("refuses %j", async (args) => {
  const { code, stdout } = await run(...args);
  expect([code, stdout]).toEqual([EXIT.usage, ""]);
});

it("says what turns were shown and what a message would be, with what was left out", async () => {
  await post("/api/knowledge/chunks", { content: "The heron is the emblem.", subject: "emblem" });
  expect((await run("preview", "Which emblem?")).stdout).toContain("The heron is the emblem.");
  expect((await run("preview", "zzz qqq")).code).toBe(EXIT.ok);
  await say("crest", "Which emblem?");
  expect((await run("why", "--session", "crest")).stdout).toMatch(/crest +\S+ +keyword +.*#\d+ 1 words/);
  expect((await run("preview", "Which emblem?", "--session", "crest")).stderr).toMatch(/Left out: .*#\d+ in sight/);
  expect(JSON.parse((await run("why", "--json")).stdout).injections[0]).toMatchObject({ session_id: "crest" });
});
