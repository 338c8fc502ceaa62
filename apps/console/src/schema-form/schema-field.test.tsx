import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { FieldSpec } from "./field-spec.ts";
import { SchemaField } from "./schema-field.tsx";

const spec: FieldSpec = {
  ...{ key: "model.temperature", label: "Temperature", type: "number", section: "model", description: "How free." },
  ...{ restart: false, default: 0.2, value: 0.4, scope: "agent", source: "agent", read_only: false },
  ...{ minimum: 0, maximum: 2 },
} as const;

const drawn = (of: Partial<FieldSpec>, props: { entered?: string; error?: string } = {}): string =>
  renderToStaticMarkup(
    <SchemaField spec={{ ...spec, ...of }} entered={props.entered} error={props.error} onEnter={() => {}} />,
  );

test("each type has the control it asks for, labelled and described", () => {
  expect(drawn({})).toMatch(
    /<label for="(.+?)" .*Temperature<\/label>.*How free\. \(0 to 2\).*<input id="\1".*value="0.4"/,
  );
  expect(drawn({ type: "bool", value: true })).toMatch(/<input.*type="checkbox" role="switch".*checked=""/);
  expect(drawn({ type: "text", value: "long" })).toMatch(/<textarea.*>long<\/textarea>/);
  expect(drawn({ type: "string_list", value: ["a", "b"] })).toMatch(/<textarea.*>a\nb<\/textarea>/);
  const select = drawn({ type: "select", value: "b", options: ["", "a", "b"] });
  expect(select).toMatch(/<option value="">Not set<\/option>.*<option value="b" selected="">b/);
});

test("backticks enclose code", () => {
  expect(drawn({ description: "Names `a:b`, or c." })).toContain("Names <code>a:b</code>, or c.");
  expect(drawn({ description: "A lone ` mark." })).toContain("A lone ` mark.");
});

test("a secret is write-only: the field shows whether there is one, and never its value", () => {
  const set = drawn({ type: "secret", value: "leaked", is_set: true });
  expect(set).toContain("Set. Type to replace it");
  expect(set).toContain('type="password"');
  expect(set).not.toContain("leaked");
  expect(drawn({ type: "secret", value: "", is_set: false })).toContain('placeholder="Not set"');
});

test("a problem is shown at its field, and a value of the environment cannot be changed", () => {
  const refused = drawn({}, { entered: "9", error: "At most 2." });
  expect(refused).toMatch(/value="9"/);
  expect(refused).toMatch(/aria-invalid="true"/);
  expect(refused).toMatch(/role="alert".*At most 2\./);
  expect(drawn({ read_only: true })).toMatch(/<input id="[^"]+" disabled=""/);
});
