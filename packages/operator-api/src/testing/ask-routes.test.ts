import * as v from "valibot";
import { expect, it } from "vitest";
import { defineRoute, json, serve } from "../route/index.ts";
import { askRoutes } from "./index.ts";

const thing = defineRoute({
  name: "thing",
  method: "GET",
  path: "/api/things/{id}",
  tag: "Things",
  summary: "s",
  reply: json(v.object({ id: v.string() })),
});

it("asks the route of a path, and fails for an answer that does not fit", async () => {
  const ask = askRoutes([serve(thing, ({ params }) => (params.id === "odd" ? { ...params, extra: 1 } : params))]);
  expect(await ask("GET", "/api/things/a%20b")).toMatchObject({ status: 200, body: { id: "a b" } });
  await expect(ask("GET", "/api/things/odd")).rejects.toThrow("its schema does not name");
  await expect(ask("POST", "/api/things/x")).rejects.toThrow("nothing serves POST");
});
