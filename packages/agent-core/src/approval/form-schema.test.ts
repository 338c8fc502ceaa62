import { describe, expect, it } from "vitest";
import { formSchemaProblem } from "./index.ts";

const text = { type: "string" };

describe("formSchemaProblem", () => {
  it("accepts schemas of objects and refuses others", () => {
    expect(formSchemaProblem({ type: "object", properties: { a: text }, required: ["a"] })).toBeUndefined();
    expect(formSchemaProblem({ properties: { a: text } })).toBeUndefined();
    expect(formSchemaProblem({ type: "string" })).toBe('its type must be "object"');
    expect(formSchemaProblem({ type: "object", properties: { a: { type: "text" } } })).toContain("unknown type");
  });
});
