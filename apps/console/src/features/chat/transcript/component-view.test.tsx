import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ComponentView } from "./component-view.tsx";
import { readComponent } from "./read-component.ts";

const drawn = (value: unknown): string => renderToStaticMarkup(<ComponentView value={value} />);

test("components are rendered natively, with their states as text", () => {
  const table = drawn({ component: "table", title: "T", props: { columns: ["a"], rows: [[1], [null], ["<b>"]] } });
  expect(table).toMatch(/<figcaption[^>]*>T</);
  expect(table).toContain("&lt;b&gt;");
  expect(drawn({ component: "keyvalue", props: { items: [{ label: "size", value: 3 }] } })).toMatch(/size.*3/);
  const steps = [
    { label: "one", state: "done" },
    { label: "two", state: "odd", detail: "why" },
  ];
  expect(drawn({ component: "timeline", props: { steps } })).toMatch(/one.*\(Done\).*two.*\(To do\).*why/);
});

test("what is no known component is shown as data", () => {
  for (const value of [null, 3, { component: "chart", props: {} }, { component: "table", props: { columns: 1 } }]) {
    expect(readComponent(value)).toBeUndefined();
  }
  expect(drawn({ component: "chart" })).toContain("chart");
});
