/** A service that loses its store (engine E11): it ends, and says so before it does. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { startTestService } from "./test-service.ts";
import { textParams } from "./testing/index.ts";

it("ends with code 1 and a line in the log when another process took its store, and acknowledges nothing more", async () => {
  const ended = Promise.withResolvers<number>();
  await using running = await startTestService({ exit: ended.resolve });
  const stores = readdirSync(running.folders.home, { recursive: true, encoding: "utf8" });
  const store = stores.find((path) => path.endsWith(".db")) ?? "";
  const thief = new DatabaseSync(join(running.folders.home, store), { timeout: 5_000 });
  thief.exec("UPDATE lease SET epoch = epoch + 1");
  thief.close();
  const refused = await running.wire.answer("message/send", textParams("/say too late"));
  expect(refused).toMatchObject({ status: 503, body: { error: { code: -32603 } } });
  expect(await ended.promise).toBe(1);
  expect(running.log.join("")).toMatch(/ERROR +the engine cannot go on/);
});
