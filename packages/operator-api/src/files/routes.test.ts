import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type FilesService, filesRoutes } from "./routes.ts";

it("hands on what is asked of a folder, a name with control characters too (F23)", async () => {
  const asked: unknown[] = [];
  const service: FilesService = {
    async browse(query) {
      asked.push(query);
      return { path: "/", parent: null, entries: [], truncated: false, roots: [] };
    },
    roots: () => ({ enabled: true, roots: { app: "/app" } }),
  };
  const ask = askRoutes(filesRoutes(service));
  expect((await ask("GET", "/api/fs/browse")).status).toBe(200);
  await ask("GET", `/api/fs/browse?path=${encodeURIComponent("/a\n")}&files=true&hidden`);
  expect(asked).toEqual([
    { path: "", files: false, hidden: false },
    { path: "/a\n", files: true, hidden: true },
  ]);
  expect((await ask("GET", "/api/fs/browse?files=maybe")).status).toBe(422);
  expect((await ask("GET", "/api/fs/roots")).body).toEqual({ enabled: true, roots: { app: "/app" } });
});
