/** Memory through the service: the agent's tools, a restart, the store's place (K1, K3, K6). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

it("is the agent's and no peer's, and costs nothing before it is used (K3)", async () => {
  await using service = await startGatedService();
  const path = join(service.running.folders.home, "knowledge", "agent.db");
  await service.say("hello");
  expect(existsSync(path)).toBe(false);
  expect(await service.say('/call memory_ingest {"content":"spam"}', PEERS_TOKEN)).toContain("there is no tool named");
  expect(existsSync(path)).toBe(false);
  const hot = '/call memory_ingest {"content":"Be brief.","domain":"hot"}';
  expect(await service.say(hot)).toContain("Stored memory 1 in 'hot'.");
  expect(existsSync(path)).toBe(true);
  await expect
    .poll(() => service.published.find(({ topic }) => topic === "memory.hot_written"))
    .toMatchObject({ data: { chunk_id: 1, source_type: "tool", preview: "Be brief." }, shown: undefined });
  for (const wrong of ['{"content":""}', '{"content":"x","memory_kind":"whim"}', '{"content":"x","expires_in_days":0}'])
    await service.say(`/call memory_ingest ${wrong}`);
  expect(await service.say("/call memory_stats {}")).toContain('\\"total\\":1');
});

it("finds in a later process what was remembered, in the store that KNOWLEDGE_DB_PATH names", async () => {
  const folders = temporaryFolders();
  folders.configure("");
  const path = join(folders.home, "elsewhere", "memory.db");
  const env = { KNOWLEDGE_DB_PATH: path };
  {
    await using first = await startTestService({ folders, env });
    await first.wire.say('/call memory_ingest {"content":"Ferns on Monday","subject":"ferns"}');
    expect(existsSync(path)).toBe(true);
  }
  await using second = await startTestService({ folders, env });
  expect(JSON.stringify(await second.wire.say('/call memory_recall {"query":"fern"}'))).toContain(
    "ferns: Ferns on Monday",
  );
});

it("uses the store of the home where the configured one cannot be written, and leaves a newer one alone (K1)", async () => {
  const folders = temporaryFolders();
  folders.configure("");
  const own = join(folders.home, "knowledge", "agent.db");
  {
    await using service = await startTestService({
      folders,
      env: { KNOWLEDGE_DB_PATH: join(folders.config, "agent-config.yaml/x.db") },
    });
    expect(JSON.stringify(await service.wire.say('/call memory_ingest {"content":"x"}'))).toContain("Stored memory 1");
    expect(existsSync(own)).toBe(true);
  }
  const newer = join(folders.home, "newer.db");
  const db = await openDatabase({ url: `file:${newer}`, schema: "knowledge", owner: { name: "a later version" } });
  const sql = "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (999, '0999_later', 'x', 0)";
  await db.commit({ label: "test", statements: [{ sql, args: [] }] });
  await db.close();
  await using service = await startTestService({ folders, env: { KNOWLEDGE_DB_PATH: newer } });
  const said = JSON.stringify(await service.wire.say('/call memory_ingest {"content":"y"}'));
  expect(said).toContain("The service's store could not do this");
  expect(JSON.stringify(await service.wire.say("hello"))).toContain("hello");
});
