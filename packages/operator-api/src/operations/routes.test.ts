import { expect, it } from "vitest";
import { defineRoute, empty } from "../route/index.ts";
import { listOperations, operationsRoutes } from "./routes.ts";

it("lists operations by name, and which of them change something", async () => {
  const base = { tag: "Things", summary: "s", reply: empty() } as const;
  const remove = defineRoute({ ...base, name: "things.remove", method: "DELETE", path: "/api/things/{id}" });
  const probe = defineRoute({
    ...base,
    name: "things.probe",
    method: "POST",
    path: "/api/things/probe",
    mutates: false,
  });
  const contents = { version: "1", topics: [], features: () => ({}) };
  const [served] = operationsRoutes({ ...contents, definitions: () => [remove, probe, listOperations] });
  const call = { params: {}, query: undefined, body: undefined, signal: AbortSignal.any([]), headers: new Headers() };
  const refuseDecision = async () => undefined;
  const { operations } = (await served!.handle({ ...call, caller: "operator", refuseDecision })) as {
    operations: object[];
  };
  expect(operations).toMatchObject([
    { name: "operations.list", mutates: false, method: "GET", path: "/api/operations" },
    { name: "things.probe", mutates: false },
    { name: "things.remove", mutates: true },
  ]);
});
