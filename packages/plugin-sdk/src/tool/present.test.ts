import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it, test } from "vitest";
import {
  checkPresentation,
  compilePresentation,
  defineTool,
  presentCall,
  renderTemplate,
  TemplateError,
  toolResult,
} from "./index.ts";

const input = { orderId: "7", stops: ["Oslo", "Bergen"], to: { name: "Ann", zip: null }, express: false, count: 0 };

describe("renderTemplate", () => {
  test.each([
    ["Refund order {orderId}?", "Refund order 7?"],
    ["{to.name} gets {count}, express: {express}", "Ann gets 0, express: false"],
    ["{stops.length} stops: {stops}", "2 stops: Oslo, Bergen"],
    ["{stops.1}", "Bergen"],
    ["missing: {nope}, null: {to.zip}, object: {to}.", "missing: , null: , object: ."],
    ["Order {orderId}[ to {to.name}][ at {to.zip}]", "Order 7 to Ann"],
    ["[always]", "always"],
    ["{{orderId}} [[x]]", "{orderId} [x]"],
    ["", ""],
  ])("%j becomes %j", (template, line) => {
    expect(renderTemplate(template, { input })).toBe(line);
  });

  it("reads a result that is a value, its JSON, or marked with a component", () => {
    const template = "Done: {result}[, number {result.id}]";
    expect(renderTemplate(template, { input, result: "sent" })).toBe("Done: sent");
    expect(renderTemplate(template, { input, result: { id: 3 } })).toBe("Done: , number 3");
    expect(renderTemplate("{result.id}", { input, result: '{"id":3}' })).toBe("3");
    const marked = toolResult({ text: "shown", component: { component: "table", props: {} } });
    expect(renderTemplate(template, { input, result: marked })).toBe("Done: shown");
    expect(renderTemplate("{result}", { input: { result: "an argument of this name" } })).toBe(
      "an argument of this name",
    );
  });

  it("reads own fields only", () => {
    for (const path of ["constructor.name", "__proto__.x", "orderId.length", "toString", "stops.map"])
      expect(renderTemplate(`{${path}}`, { input })).toBe("");
  });

  it("is one line without invisible characters, and bounded", () => {
    const sly = { text: "a\nb\u202e\u0000\u200bc\u2066", long: "🙂".repeat(1000), many: Array(9).fill("x") };
    expect(renderTemplate("{text}", { input: sly })).toBe("a bc");
    expect([...renderTemplate("{long}", { input: sly })]).toHaveLength(120);
    expect([...renderTemplate("{long}{long}{long}", { input: sly })]).toHaveLength(300);
    expect(renderTemplate("{many}", { input: sly })).toBe("x, x, x, x, x, …");
  });

  test.each(["{", "}", "{a", "{}", "{a b}", "{a..b}", "[a", "a]", "[a[b]]", "{a.b.c.d.e.f.g.h.i}"])(
    "%j is not a template",
    (template) => {
      expect(() => renderTemplate(template, { input })).toThrow(TemplateError);
      expect(() => checkPresentation({ doing: template })).toThrow(TemplateError);
    },
  );

  it("property: any arguments and results become one bounded line", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (args, result) => {
        const line = renderTemplate("{a}[ {b.c}] {result}[: {result.x.length}]", { input: args, result });
        expect([...line].length).toBeLessThanOrEqual(300);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

test("presentCall shows each call of a tool in its own values, in every phase", () => {
  const present = { asks: "Fly to {city}?", doing: "Flying to {city}", done: "{" };
  const other = { doing: "Driving to {city}" };
  const lineOf = (phase: "asks" | "doing" | "done", city: string) =>
    presentCall({ present }, phase, { input: { city } });
  for (const city of ["Oslo", "New  York", "Reykjav\u00edk", "a\u0000b\nc", "~!"]) {
    const shown = city.replace("  ", " ").replace("\u0000", "").replace("\n", " ");
    expect(lineOf("asks", city)).toBe(`Fly to ${shown}?`);
    expect(lineOf("doing", city)).toBe(`Flying to ${shown}`);
    expect(lineOf("done", city)).toBeUndefined();
    expect(presentCall({ present: other }, "doing", { input: { city } })).toBe(`Driving to ${shown}`);
  }
});

test("presentCall leaves to the tool's name what the tool does not declare, or declares wrongly", () => {
  const schema = v.object({ city: v.string() });
  const tool = (present: object) =>
    defineTool({ name: "fly", description: "Flies.", input: schema, present, run: () => "ok" });
  const values = { input: { city: "Oslo" } };
  expect(presentCall(tool({ asks: "Fly to {city}?" }), "asks", values)).toBe("Fly to Oslo?");
  expect(presentCall(tool({ asks: "Fly to {city}?" }), "done", values)).toBeUndefined();
  expect(presentCall(tool({ done: "{" }), "done", values)).toBeUndefined();
  expect(presentCall(tool({ done: "{nope}" }), "done", values)).toBeUndefined();
});

test("compilePresentation reads the templates once, and shows what of them can be read", () => {
  let reads = 0;
  const present = {
    get doing() {
      reads++;
      return "Flying to {city}";
    },
    asks: "Fly to {city",
    done: "{",
  };
  const bad: string[] = [];
  const presented = compilePresentation(present, ({ message }) => bad.push(message));
  for (const city of ["Oslo", "Bergen"]) {
    expect(presented("doing", { input: { city } })).toBe(`Flying to ${city}`);
    expect(presented("asks", { input: { city } })).toBeUndefined();
    expect(presented("done", { input: { city }, result: "ok" })).toBeUndefined();
  }
  expect(presented("doing", { input: {} })).toBe("Flying to");
  expect(reads).toBe(1);
  expect(bad).toHaveLength(2);
});
