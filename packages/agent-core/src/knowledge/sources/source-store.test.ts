import { expect, it } from "vitest";
import { type Command, openDatabase, type Row, type Statement } from "../../database/index.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { SourceStore } from "./source-store.ts";

it("keeps a document that is handed over while a start looks for those that a former process left", async () => {
  const db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" } });
  const handedOver = Promise.withResolvers<void>();
  let recovering: Promise<void> | undefined;
  const watched = {
    ...{ durable: true, description: "", state: "ok" as const },
    async commit(command: Command): Promise<void> {
      await db.commit(command);
      if (command.label === "knowledge.source") recovering = store.recover();
    },
    async read(statement: Statement, how?: "long"): Promise<readonly Row[]> {
      const rows = await db.read(statement, how);
      // What is found is acted on when the document has come in.
      if (rows.length > 0 && statement.sql.includes("IN ('receiving', 'reading')")) await handedOver.promise;
      return rows;
    },
    eraseRemains: () => db.eraseRemains(),
    close: () => db.close(),
  };
  const store = new SourceStore({ alone: (work) => work(watched), get: async () => watched, clock: manualClock() });
  const { source } = await store.receive(
    {
      ...{ bytes: new TextEncoder().encode("Water the ferns."), uri: "", name: "", mediaType: "", domain: "general" },
      ...{ namespace: "", title: "", held: "", session: "", task: "" },
    },
    "digest",
  );
  handedOver.resolve();
  await recovering;
  expect((await store.rows.find(source.id))?.state).toBe("queued");
  await db.close();
});
