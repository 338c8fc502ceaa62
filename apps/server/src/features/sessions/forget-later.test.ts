/** A session that is deleted with all it stored while the store of memories cannot be opened (K13, SD1, SD2). */

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { manualClock } from "@agent-service/agent-core/testing";
import { afterEach, expect, it } from "vitest";
import { filesBelow } from "../../testing/files-below.ts";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const store = join(folders.home, "knowledge", "agent.db");
afterEach(() => folders.remove());

async function ask(service: TestService, method: string, path: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(service.url + path, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/**
 * Files that hold the word; the audit log names what tools were asked, and stays (K12). Of the engine's store rows are looked at:
 * `test/proof/kill-memory` looks at its bytes.
 */
function holding(): readonly string[] {
  const found = filesBelow(folders.home).filter(
    ({ path, bytes }) => !/audit|checkpoints/.test(path) && /tillotson/i.test(bytes.toString("latin1")),
  );
  return [...found.map(({ path }) => path), ...rowsHolding()];
}

function rowsHolding(): readonly string[] {
  const db = new DatabaseSync(join(folders.home, "checkpoints.db"), { readOnly: true });
  const tables = ["message", "event", "call", "session", "prompt"];
  const held = tables.filter((name) => /tillotson/i.test(JSON.stringify(db.prepare(`SELECT * FROM ${name}`).all())));
  db.close();
  return held;
}

async function remember(session: string, content: string): Promise<void> {
  await using service = await startTestService({ folders });
  const message = `/call memory_ingest ${JSON.stringify({ content, subject: session })}`;
  await ask(service, "POST", "/api/chat", { session_id: session, message });
  await ask(service, "POST", "/api/chat", { session_id: "other", message: `What of the ${session}?` });
}

/** Takes its file from the service; what is returned gives it back. */
function withhold(): () => void {
  renameSync(store, `${store}.aside`);
  writeFileSync(store, "This is no store.".repeat(500));
  return () => renameSync(`${store}.aside`, store);
}

it("is durable at once, and done by the same process or the next one once the store can be opened", async () => {
  await remember("heron", "The heron nests behind Tillotson quarry.");
  let giveBack = withhold();
  const clock = manualClock(Date.now());
  {
    await using service = await startTestService({ folders, clock });
    const refused = await ask(service, "DELETE", "/api/chat/sessions/heron?forget=true");
    expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining("goes on by itself") } });
    expect((await ask(service, "POST", "/api/chat", { session_id: "heron", message: "hi" })).status).toBe(429);
    giveBack();
    const read = async () => {
      await clock.advance(10_000);
      return (await ask(service, "GET", "/api/chat/sessions/heron")).status;
    };
    await expect.poll(read).toBe(404);
    // It is gone, and takes messages anew once no byte of it is left in the files.
    const say = async () => (await ask(service, "POST", "/api/chat", { session_id: "heron", message: "hi" })).status;
    await expect.poll(say).toBe(200);
    expect(holding()).toEqual([]);
    expect((await ask(service, "GET", "/api/memory/receipts")).body.receipts).toMatchObject([{ scope: "session" }]);
  }

  // Behind the audit line alone nothing of the first conversation is left: not even of what was said in it.
  await remember("heron", "The heron moved to Tillotson mill.");
  giveBack = withhold();
  {
    await using service = await startTestService({ folders });
    expect((await ask(service, "DELETE", "/api/chat/sessions/heron?forget=true")).status).toBe(503);
  }
  giveBack();
  await using service = await startTestService({ folders });
  await expect.poll(async () => (await ask(service, "GET", "/api/chat/sessions/heron")).status).toBe(404);
  await expect.poll(holding).toEqual([]);
});
