/** A service that loses its store (EN9, EN11): it ends, and reports that before it does. */
import { copyFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { textParams } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

function storeOf({ folders: { home } }: TestService): string {
  const stores = readdirSync(home, { recursive: true, encoding: "utf8" });
  return join(home, stores.find((path) => path.endsWith("checkpoints.db")) ?? "");
}

function replace(path: string): void {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
}

it("ends with code 1 and a line in the log when another process took its store, and acknowledges nothing more", async () => {
  const ended = Promise.withResolvers<number>();
  await using running = await startTestService({ exit: ended.resolve });
  const thief = new DatabaseSync(storeOf(running), { timeout: 5_000 });
  thief.exec("UPDATE lease SET epoch = epoch + 1");
  thief.close();
  const refused = await running.wire.answer("message/send", textParams("/say too late"));
  expect(refused).toMatchObject({ status: 503, body: { error: { code: -32603 } } });
  expect(await ended.promise).toBe(1);
  expect(running.log.join("")).toMatch(/ERROR +the engine cannot continue/);
});

it.each([
  ["deleted", (path: string) => rmSync(path)],
  ["replaced", replace],
])("acknowledges nothing once its store was %s, reports it in /healthz, and ends with code 1", async (what, lose) => {
  const ended = Promise.withResolvers<number>();
  await using running = await startTestService({ exit: ended.resolve });
  const health = async (): Promise<object> => {
    const answer = await fetch(`${running.url}/healthz`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  expect(await health()).toMatchObject({ status: 200, ok: true, store: "ok" });
  lose(storeOf(running));
  const refused = await running.wire.answer("message/send", textParams("/say into nothing"));
  expect(refused).toMatchObject({ status: 503, body: { error: { code: -32603 } } });
  expect(await health()).toMatchObject({ status: 503, ok: false, store: "lost" });
  expect(await ended.promise).toBe(1);
  expect(running.log.join("")).toMatch(new RegExp(`ERROR +the engine cannot continue[^]*\\.db was ${what}`));
  const operator = await fetch(`${running.url}/api/inbox`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "note" }),
  });
  expect(operator.status).toBe(503);
});
