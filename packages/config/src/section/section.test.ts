import * as v from "valibot";
import { expect, test } from "vitest";
import { faultOf } from "./check-value.ts";
import { closestName } from "./closest-name.ts";
import { keysOf, objectListItem } from "./schema-shape.ts";
import type { Section, SettingMetadata } from "./section.ts";
import { verifySection } from "./verify-section.ts";

const field = (more: Partial<SettingMetadata> = {}): SettingMetadata => ({
  label: "Label",
  description: "Description.",
  type: "string",
  ...more,
});

const section = (over: Partial<Section> = {}): Section => ({
  name: "demo",
  description: "A demonstration.",
  schema: v.object({ size: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(9)), 3) }),
  fields: { size: field({ type: "number", minimum: 1, maximum: 9 }) },
  ...over,
});

test("keys of nested objects are dotted; records and lists are one key", () => {
  const schema = v.pipe(
    v.object({
      enabled: v.optional(v.boolean(), true),
      warm: v.optional(v.object({ every: v.optional(v.number(), 5) }), {}),
      extra: v.optional(v.record(v.string(), v.unknown())),
      items: v.optional(v.array(v.object({ id: v.string() })), []),
    }),
    v.check(() => true),
  );
  expect(keysOf(schema).map(({ key, fallback }) => [key, fallback])).toEqual([
    ["enabled", true],
    ["warm.every", 5],
    ["extra", undefined],
    ["items", []],
  ]);
  expect(objectListItem(v.optional(v.array(v.string())))).toBeUndefined();
});

test("a fault names its path and reason; a secret's fault quotes nothing of the value", () => {
  const schema = v.object({ list: v.array(v.number()) });
  expect(faultOf(schema, { list: [1, "two"] }, false)).toEqual({
    path: ["list", 1],
    reason: "expected number, got 'two'".replaceAll("'", '"'),
  });
  expect(faultOf(v.string(), 12_345_678, true)?.reason).toBe("expected string");
  expect(faultOf(v.string(), "line\nbreak", false)).toBeUndefined();
  const quoting = v.pipe(
    v.string(),
    v.check(
      () => false,
      (issue) => `bad: ${issue.input}`,
    ),
  );
  expect(faultOf(quoting, "hunter2", true)?.reason).toBe("wrong value (not shown)");
});

test("a reason is one bounded line whatever the value holds", () => {
  const reason = faultOf(v.number(), `a\n\u0007b${"c".repeat(5000)}`, false)?.reason ?? "";
  expect(reason).not.toMatch(/\p{Cc}/u);
  expect(reason.length).toBeLessThan(200);
});

test.each([
  ["tempurature", "temperature"],
  ["tmperature", "temperature"],
  ["NAME", "name"],
  ["zebra", undefined],
  ["x".repeat(1000), undefined],
])("the closest name to %s is %s", (name, near) => {
  expect(closestName(name, ["temperature", "name", "top_p"])).toBe(near);
});

test("a sound declaration has no faults", () => {
  expect(verifySection(section())).toEqual([]);
});

test.each<[string, Partial<Section>, string]>([
  ["an undescribed key", { fields: {} }, "demo.size: not described"],
  ["a description of nothing", { fields: { size: field(), sise: field() } }, "demo.sise: no such key"],
  ["a secret that does not exist", { secrets: ["token"] }, "demo.token: no such key"],
  ["a key without a default", { schema: v.object({ size: v.number() }) }, "demo.size: no default"],
  [
    "a default the schema refuses",
    { schema: v.object({ size: v.optional(v.pipe(v.number(), v.maxValue(2)), 3) }) },
    "demo.size: refuses its own default",
  ],
  [
    "a bound that is not the schema's",
    { fields: { size: field({ maximum: 8 }) } },
    "demo.size: accepts beyond its bound 8",
  ],
  [
    "an option the schema refuses",
    { fields: { size: field({ options: ["big"] }) } },
    "demo.size: refuses its own option big",
  ],
  ["a secret only in words", { fields: { size: field({ type: "secret" }) } }, "demo.size: secret in one place only"],
  ["a list without entries", { merge_by: "id" }, "demo: merge_by needs a list of objects"],
  ["a schema that is no object", { schema: v.string() }, "demo: the schema is not an object"],
])("a declaration with %s is found", (_what, over, fault) => {
  expect(verifySection(section(over))).toContain(fault);
});
