import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, park, toolResult } from "./index.ts";

describe("a tool as a value", () => {
  it("is what was written, its input typed by its schema", () => {
    const definition = {
      name: "greet",
      description: "Greets.",
      input: v.object({ name: v.string() }),
      run: ({ name }: { name: string }) => `Hello ${name}`,
    };
    expect(defineTool(definition)).toBe(definition);
  });

  it("returns a result with a component as a marked value", () => {
    const component = { component: "table", props: { columns: [], rows: [] } };
    expect(toolResult({ text: "shown", component })).toEqual({ type: "tool-result", text: "shown", component });
  });
});

describe("parking as a value (A13)", () => {
  it("names a question, a form and an approval", () => {
    expect(park.question("Which city?")).toEqual({
      type: "park",
      request: { kind: "question", question: "Which city?" },
    });
    expect(park.form({ title: "Who?", steps: [{ schema: {} }] })).toEqual({
      type: "park",
      request: { kind: "form", title: "Who?", description: "", steps: [{ schema: {} }] },
    });
    expect(park.approval({ title: "Refund?", detail: "late" })).toEqual({
      type: "park",
      request: { kind: "approval", title: "Refund?", detail: "late" },
    });
    const inner = { title: "Refund?", detail: "late", tool: "refund", args: { order: "7" }, grantable: true };
    expect(park.approval(inner)).toEqual({ type: "park", request: { kind: "approval", ...inner } });
  });
});
