import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type ExampleNoteRow, exampleNoteRoutes } from "./routes.ts";

const row = (id: number): ExampleNoteRow => ({ id, text: `entry ${id}`, created_at: "2026-01-01T00:00:00.000Z" });

it("pages through the entries", async () => {
  const all = [row(3), row(2), row(1)];
  const ask = askRoutes(
    exampleNoteRoutes({
      list: async ({ limit, before = 4 }) => all.filter(({ id }) => id < before).slice(0, limit),
      add: async () => row(4),
    }),
  );
  const first = await ask("GET", "/api/example-note?limit=2");
  expect(first.body).toMatchObject({ entries: [row(3), row(2)] });
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  expect((await ask("GET", `/api/example-note?limit=2&cursor=${cursor}`)).body).toMatchObject({
    entries: [row(1)],
    next_cursor: null,
  });
});

it("adds what was sent, trimmed, and refuses an entry without text", async () => {
  const added: string[] = [];
  const ask = askRoutes(
    exampleNoteRoutes({
      list: async () => [],
      async add(text) {
        added.push(text);
        return row(1);
      },
    }),
  );
  expect(await ask("POST", "/api/example-note", { text: " entry " })).toMatchObject({ status: 201, body: row(1) });
  expect((await ask("POST", "/api/example-note", { text: " " })).status).toBe(422);
  expect(added).toEqual(["entry"]);
});
