import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { editorHandoffRoutes, type OfferedHandoff } from "./routes.ts";

it("hands over what was sent, blanks as null, and answers a claim without a match with 204 (F26)", async () => {
  const offered: unknown[] = [];
  const held: OfferedHandoff[] = [{ session_id: "s", project: "app", path: "a.ts", line: 3, title: null }];
  const ask = askRoutes(
    editorHandoffRoutes({
      async offer(request) {
        offered.push(request);
        return { id: "o", expires_at: "2026-01-01T00:02:00.000Z", root: null };
      },
      claim: async ({ cwd }) => (cwd === "/app" ? held.pop() : undefined),
    }),
  );
  expect(await ask("POST", "/api/editor/handoff", { session_id: "s", line: "x" })).toMatchObject({ status: 200 });
  await ask("POST", "/api/editor/handoff", {});
  const blank = { project: null, path: null, title: null };
  expect(offered).toEqual([
    { session_id: "s", ...blank, line: "x" },
    { session_id: "", ...blank, line: null },
  ]);
  const claim = () => ask("POST", "/api/editor/handoff/claim", { cwd: "/app" });
  expect(await claim()).toMatchObject({ status: 200, body: { session_id: "s", line: 3 } });
  expect(await claim()).toMatchObject({ status: 204, body: undefined });
  expect((await ask("POST", "/api/editor/handoff", { session_id: 7 })).status).toBe(422);
});
