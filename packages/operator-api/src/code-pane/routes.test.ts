import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { codePaneRoutes } from "./routes.ts";
import type { ProjectDiff } from "./schema.ts";

const nothing: ProjectDiff = {
  ...{ project: "app", is_git: false, head: null, branch: null, files: [], patch: "", truncated: false },
};

it("leaves lines that are no numbers to the service, which refuses with a code (B43)", async () => {
  const asked: unknown[] = [];
  const ask = askRoutes(
    codePaneRoutes({
      async file(query) {
        asked.push(query);
        throw new Problem(400, { code: "bad_range", reason: "Lines are whole numbers." });
      },
      diff: async (project) => ({ ...nothing, project }),
    }),
  );
  const refused = { status: 400, body: { detail: { code: "bad_range", reason: "Lines are whole numbers." } } };
  expect(await ask("GET", "/api/fs/file?project=app&path=a.txt&start=x&end=1.5")).toMatchObject(refused);
  await ask("GET", "/api/fs/file");
  expect(asked).toEqual([
    { project: "app", path: "a.txt", start: "x", end: "1.5" },
    { project: "", path: "" },
  ]);
  expect((await ask("GET", "/api/fs/diff?project=app")).body).toEqual(nothing);
});
