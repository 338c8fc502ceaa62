import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type ProjectRow, projectsRoutes } from "./routes.ts";

const app: ProjectRow = {
  ...{ name: "app", path: "/app", scm_repo: "", default_branch: "main", write: true, no_delete: false, fs: true },
  ...{ exists: true, is_git: false, source: "projects" },
};

it("lists, adds, changes and removes entries (F22)", async () => {
  const done: unknown[] = [];
  const ask = askRoutes(
    projectsRoutes({
      list: async () => [app],
      async add(request) {
        done.push(request);
        return app;
      },
      async clone(request) {
        done.push(request);
        return app;
      },
      async edit(name, change) {
        done.push([name, change]);
        return { ...app, ...change };
      },
      async remove(name) {
        done.push(name);
      },
    }),
  );
  expect((await ask("GET", "/api/projects")).body).toEqual({ projects: [app] });
  expect(await ask("POST", "/api/projects", { path: "/app", write: true })).toMatchObject({ status: 201 });
  expect(await ask("POST", "/api/projects/clone", { repo: "example/app" })).toMatchObject({ status: 201 });
  expect((await ask("PATCH", "/api/projects/app", { write: false })).body).toEqual({
    project: { ...app, write: false },
  });
  expect((await ask("DELETE", "/api/projects/app")).body).toEqual({ removed: true });
  expect(done).toEqual([{ path: "/app", write: true }, { repo: "example/app" }, ["app", { write: false }], "app"]);
  for (const body of [{}, { path: 7 }, { path: "/a", write: "yes" }])
    expect((await ask("POST", "/api/projects", body)).status).toBe(422);
});
