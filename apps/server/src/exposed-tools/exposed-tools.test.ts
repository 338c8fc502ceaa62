import { isMutation, operationInput, operatorDefinitions } from "@agent-service/operator-api";
import { expect, test } from "vitest";
import { exposedOperations } from "./index.ts";
import { OFFERED_OR_NOT, offerOf } from "./operation-offers.ts";

test("every operation is decided about, once", () => {
  const names = operatorDefinitions.map(({ name }) => name);
  expect(OFFERED_OR_NOT.toSorted()).toEqual(names.toSorted());
  expect(offerOf("made.up")).toBe("excluded");
});

test("read-only offers what reads, and neither what decides for the operator", () => {
  const offered = exposedOperations("full");
  for (const one of exposedOperations("read-only")) expect([one.name, one.method]).toEqual([one.name, "GET"]);
  expect(exposedOperations("read-only").filter(isMutation)).toEqual([]);
  expect(offered.filter(({ decides }) => decides === true)).toEqual([]);
  // In some cases these decide, which calls of MCP clients are refused in each.
  const sometimes = offered.filter(({ decides }) => decides !== undefined).map(({ name }) => name);
  expect(sometimes).toEqual(["scheduler.create", "scheduler.edit"]);
  // By path too, so that no new name of what is kept back gets through.
  const kept =
    /^\/api\/(?:secrets|config|settings|providers|plugins|mcp|approvals|projects|shares|devices|pairing|editor|changes\/undo)(?:\/|$)|\/call$|\/rewind$/;
  expect(offered.filter(({ path }) => kept.test(path)).map(({ name }) => name)).toEqual([]);
});

test("the arguments of an operation are the parts of its path, its query and its body", () => {
  for (const definition of exposedOperations("full")) {
    const { properties, required = [] } = operationInput(definition) as { properties: object; required?: string[] };
    expect([definition.name, required.filter((name) => !(name in properties))]).toEqual([definition.name, []]);
    for (const name of Object.keys(properties)) expect(name).toMatch(/^[a-z_]+$/);
  }
  const edit = exposedOperations("full").find(({ name }) => name === "sessions.edit");
  expect(edit && operationInput(edit)).toMatchObject({ required: ["id", "body"], additionalProperties: false });
});
