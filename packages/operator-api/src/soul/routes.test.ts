import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { soulRoutes } from "./routes.ts";

it("lists versions, reads one and restores one", async () => {
  const asked: unknown[] = [];
  const row = {
    version: 3,
    at: "2026-11-23T00:00:00.000Z",
    author: "agent",
    reason: "",
    session_id: null,
    chars: 4,
  } as const;
  const ask = askRoutes(
    soulRoutes({
      async versions(version) {
        asked.push(version);
        return [version === undefined ? row : { ...row, text: "Kind" }];
      },
      restore: async (version) => version + 1,
    }),
  );
  expect((await ask("GET", "/api/config/soul/versions")).body).toEqual({ versions: [row], next_cursor: null });
  expect((await ask("GET", "/api/config/soul/versions?version=3")).body).toMatchObject({
    versions: [{ text: "Kind" }],
  });
  expect(asked).toEqual([undefined, 3]);
  expect((await ask("POST", "/api/config/soul/restore", { version: 3 })).body).toEqual({ ok: true, version: 4 });
  for (const body of [{}, { version: 0 }, { version: "3" }])
    expect((await ask("POST", "/api/config/soul/restore", body)).status).toBe(422);
});
