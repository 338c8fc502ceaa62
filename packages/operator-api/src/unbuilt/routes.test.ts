import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { UNBUILT, unbuiltDefinitions, unbuiltRoutes } from "./index.ts";

const ask = askRoutes(unbuiltRoutes());
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, "x");

it("answers every route of a feature that is not built as ruling O4 says", async () => {
  for (const { routes } of UNBUILT) {
    for (const [method, path, answer] of routes) {
      const { status, body } = await ask(method, filled(path));
      if (answer.kind === "list") expect([status, body]).toMatchObject([200, { enabled: false, next_cursor: null }]);
      else if (answer.kind === "disabled") expect([status, body]).toEqual([404, { detail: { code: "disabled" } }]);
      else expect([status, body]).toEqual([503, { detail: expect.stringContaining("does not have it") }]);
    }
  }
});

it("answers lists only to who reads", () => {
  const lists = UNBUILT.flatMap(({ routes }) => routes.filter(([, , { kind }]) => kind !== "refused"));
  expect(lists.every(([method]) => method === "GET")).toBe(true);
  expect(new Set(unbuiltDefinitions.map(({ name }) => name)).size).toBe(unbuiltDefinitions.length);
});
