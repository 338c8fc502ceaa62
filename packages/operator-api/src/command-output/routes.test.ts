import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { commandOutputRoutes } from "./routes.ts";

it("answers what a command wrote from a byte on, and 404 where nothing is kept (F29)", async () => {
  const text = "one\ntwo\n";
  const ask = askRoutes(
    commandOutputRoutes({
      async read(task, call, after) {
        if (task !== "t" || call !== "c") return undefined;
        return { text: text.slice(after), next: text.length, done: true, bytes: text.length, truncated: false };
      },
    }),
  );
  const path = "/api/a2a/tasks/t/calls/c/output";
  expect((await ask("GET", path)).body).toEqual({ text, next: 8, done: true, bytes: 8, truncated: false });
  expect((await ask("GET", `${path}?after=4`)).body).toMatchObject({ text: "two\n", next: 8 });
  expect((await ask("GET", "/api/a2a/tasks/t/calls/other/output")).status).toBe(404);
  for (const after of ["-1", "x", "1.5", "1e3", "9999999999"]) {
    expect((await ask("GET", `${path}?after=${after}`)).status).toBe(422);
  }
});
