import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type InboxRow, type InboxService, inboxRoutes } from "./routes.ts";

const row: InboxRow = {
  id: 3,
  created_at: "",
  priority: "next",
  source: null,
  text: "t",
  dedup_key: null,
  delivered_at: null,
};

function inbox(service: Partial<InboxService>) {
  const never = (): never => {
    throw new Error("not asked");
  };
  return askRoutes(inboxRoutes({ list: never, add: never, deliver: never, ...service }));
}

it("passes on what was sent, and returns its outcome", async () => {
  const added: unknown[] = [];
  const outcomes = ["queued", "fired", "duplicate"] as const;
  const ask = inbox({
    async add(item) {
      const outcome = outcomes[added.length] ?? "queued";
      added.push(item);
      return { item: row, outcome, task: outcome === "fired" ? "task" : undefined };
    },
  });
  expect((await ask("POST", "/api/inbox", { text: " t " })).body).toEqual({ ok: true, item: row, fired: false });
  const sent = { text: "t", priority: "now", source: "ci", dedup_key: "k" };
  expect((await ask("POST", "/api/inbox", sent)).body).toMatchObject({ fired: true, task_id: "task" });
  expect((await ask("POST", "/api/inbox", sent)).body).toMatchObject({ fired: false, deduped: true });
  expect(added.slice(0, 2)).toEqual([
    { text: "t", priority: "next", source: "", dedupKey: undefined },
    { text: "t", priority: "now", source: "ci", dedupKey: "k" },
  ]);
});

it("reads an id that is no number as 0, which no item has", async () => {
  const asked: number[] = [];
  const ask = inbox({ deliver: async (id) => void asked.push(id) });
  for (const id of ["7", "07", "1e3", "-1"]) await ask("POST", `/api/inbox/${id}/deliver`);
  expect(asked).toEqual([7, 0, 0, 0]);
});
