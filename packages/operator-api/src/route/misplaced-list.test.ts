import * as v from "valibot";
import { expect, it } from "vitest";
import { misplacedList } from "./misplaced-list.ts";

const inner = v.strictObject({ b: v.optional(v.string()) });
const schema = v.pipe(
  v.object({
    one: v.optional(inner, {}),
    many: v.optional(v.array(inner)),
    named: v.optional(v.nullable(v.record(v.string(), v.record(v.string(), v.unknown())))),
    any: v.optional(v.unknown()),
    names: v.optional(v.array(v.string())),
    either: v.optional(v.union([v.object({ a: v.optional(inner) }), v.object({ c: v.optional(inner) })])),
    rows: v.optional(v.union([v.string(), v.array(inner)])),
  }),
  v.check(() => true),
);

it.each<[string, unknown, readonly (string | number)[] | undefined]>([
  ["the whole", [], []],
  ["a field", { one: [] }, ["one"]],
  ["an entry of a list", { many: [{}, []] }, ["many", 1]],
  ["a record", { named: [] }, ["named"]],
  ["a value of a record", { named: { a: {}, b: [1] } }, ["named", "b"]],
  ["what no part of a union takes", { either: [] }, ["either"]],
  ["nothing that a part of a union takes", { either: { a: [], c: {} }, rows: [{}] }, undefined],
  ["nothing", { one: {}, many: [], named: null, any: [[]], names: ["a"], other: [] }, undefined],
  ["nothing of a scalar", "[]", undefined],
])("finds %s where a list is given for an object", (_what, value, path) => {
  expect(misplacedList(schema, value)).toEqual(path);
});
