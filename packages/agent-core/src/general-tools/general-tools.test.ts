import type { AnyTool, Park, ToolResult } from "@agent-service/plugin-sdk";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createToolbox, parseArguments, toModelTool } from "../tool/index.ts";
import {
  askHuman,
  COMPONENT_LIMITS,
  calculator,
  currentTime,
  generalTools,
  requestUserInput,
  showComponent,
} from "./index.ts";

const NOON = Date.UTC(2026, 10, 21, 12, 5, 9);
const context = fakeContext({ now: () => new Date(NOON) });

/** Calls a tool as the engine does: arguments as JSON text, validated. Async, so that a throw is a rejection. */
async function call(tool: AnyTool, args: unknown): Promise<unknown> {
  const parsed = parseArguments(tool, JSON.stringify(args));
  if (!parsed.ok) throw new Error(parsed.message);
  return tool.run(parsed.input, context);
}

describe("generalTools (B80)", () => {
  it("are the five of the catalogue, each pure and shown to the model whole", () => {
    const warnings: string[] = [];
    const shown = generalTools().map((tool) => toModelTool(tool, (line) => warnings.push(line)));
    expect(shown.map(({ name, parameters }) => [name, Object.keys(parameters.properties as object)])).toEqual([
      ["current_time", ["timezone"]],
      ["calculator", ["expression"]],
      ["ask_human", ["question"]],
      ["request_user_input", ["title", "steps", "description"]],
      ["show_component", ["component", "props", "title"]],
    ]);
    expect(warnings).toEqual([]);
    expect(generalTools().every(({ effect }) => effect === "pure")).toBe(true);
    const toolbox = createToolbox(generalTools());
    const subagents = toolbox.for({ subagent: true, peer: false });
    expect(subagents.names).toEqual(["current_time", "calculator", "show_component"]);
    expect(toolbox.for({ subagent: false, peer: true }).names).toEqual(toolbox.names);
  });

  it("show every provider an object without a choice at its top", () => {
    for (const tool of generalTools()) {
      const { parameters } = toModelTool(tool);
      expect(parameters.type).toBe("object");
      expect(Object.keys(parameters)).not.toEqual(expect.arrayContaining(["oneOf"]));
      expect(Object.keys(parameters)).not.toEqual(expect.arrayContaining(["anyOf"]));
    }
  });
});

describe("current_time", () => {
  it.each([
    [{}, "2026-11-21T12:05:09+00:00 (Saturday, UTC)"],
    [{ timezone: "" }, "2026-11-21T12:05:09+00:00 (Saturday, UTC)"],
    [{ timezone: "Europe/Berlin" }, "2026-11-21T13:05:09+01:00 (Saturday, Europe/Berlin)"],
    [{ timezone: "america/new_york" }, "2026-11-21T07:05:09-05:00 (Saturday, America/New_York)"],
    [{ timezone: "Pacific/Kiritimati" }, "2026-11-22T02:05:09+14:00 (Sunday, Pacific/Kiritimati)"],
    [{ timezone: "Asia/Kathmandu" }, expect.stringContaining("2026-11-21T17:50:09+05:45")],
  ])("%j returns %s", async (args, text) => {
    expect(await call(currentTime, args)).toEqual(text);
  });

  it("refuses an unknown zone with an example of a valid one", async () => {
    await expect(call(currentTime, { timezone: "Mars/Olympus" })).rejects.toThrow(
      'unknown time zone "Mars/Olympus": use an IANA name such as "UTC", "Europe/Berlin"',
    );
    await expect(call(currentTime, { timezone: "x".repeat(500) })).rejects.toThrow("timezone: ");
    await expect(call(currentTime, { timezone: 1 })).rejects.toThrow("timezone: ");
  });
});

describe("calculator as a tool", () => {
  it("answers with the value as text", async () => {
    expect(await call(calculator, { expression: "6*7" })).toBe("42");
  });

  it("fails with messages the model can act on", async () => {
    await expect(call(calculator, { expression: "1/0" })).rejects.toThrow("division by zero");
    await expect(call(calculator, { expression: "  " })).rejects.toThrow("expression: ");
    await expect(call(calculator, {})).rejects.toThrow("expression: ");
  });
});

describe("ask_human and request_user_input (A13)", () => {
  it("park with the question", async () => {
    expect(await call(askHuman, { question: " Which city? " })).toEqual({
      type: "park",
      request: { kind: "question", question: "Which city?" },
    } satisfies Park);
    await expect(call(askHuman, { question: " " })).rejects.toThrow("question: ");
  });

  it("park with the form, its schemas whole", async () => {
    const steps = [
      { schema: { type: "object", properties: { a: { type: "string", default: "x" } }, additionalProperties: false } },
      { schema: { type: "object", properties: { b: { enum: [1, 2] } } }, title: "Two", description: "more" },
    ];
    expect(await call(requestUserInput, { title: "Who?", steps })).toEqual({
      type: "park",
      request: { kind: "form", title: "Who?", description: "", steps },
    } satisfies Park);
  });

  it("ask for at least one step and at most twenty", async () => {
    const step = { schema: { type: "object" } };
    await expect(call(requestUserInput, { title: "t", steps: [] })).rejects.toThrow("steps: ");
    const many = Array.from({ length: 21 }, () => step);
    await expect(call(requestUserInput, { title: "t", steps: many })).rejects.toThrow("steps: ");
  });

  it("refuse a schema that no answer fits, before anyone is asked", async () => {
    const steps = [{ schema: { type: "object" } }, { schema: { type: "object", properties: { a: { type: "date" } } } }];
    await expect(call(requestUserInput, { title: "t", steps })).rejects.toThrow(
      'the schema of step 2 cannot be used: unknown type "date" at properties.a',
    );
  });
});

describe("show_component", () => {
  it.each([
    [
      "table",
      {
        columns: ["City", "Sun"],
        rows: [
          ["Oslo", true],
          ["Bergen", null],
        ],
      },
      "2 rows, 2 columns",
    ],
    ["table", { columns: ["Empty"], rows: [] }, "0 rows, 1 column"],
    ["keyvalue", { items: [{ label: "Total", value: 12.5 }] }, "1 item"],
    [
      "timeline",
      {
        steps: [
          { label: "Ask", state: "done" },
          { label: "Do", state: "active", detail: "now" },
        ],
      },
      "2 steps",
    ],
  ])("shows a %s and returns its size to the model", async (component, props, size) => {
    expect(await call(showComponent, { component, props, title: "Report" })).toEqual({
      type: "tool-result",
      text: `Shown: ${component} "Report" (${size}).`,
      component: { component, props, title: "Report" },
    } satisfies ToolResult);
  });

  it("leaves out an empty title and unknown props", async () => {
    const props = { items: [{ label: "a", value: 1, extra: 2 }], more: 3 };
    expect(await call(showComponent, { component: "keyvalue", props })).toMatchObject({
      text: "Shown: keyvalue (1 item).",
      component: { component: "keyvalue", props: { items: [{ label: "a", value: 1 }] } },
    });
  });

  it.each([
    [{ component: "chart", props: {} }, "component: "],
    [{ component: "table", props: { columns: ["a"] } }, "props.rows: "],
    [
      { component: "table", props: { columns: ["a", "b"], rows: [["1", "2"], ["3"]] } },
      "Row 2 has 1 cells; the table has 2 columns",
    ],
    [{ component: "table", props: { columns: ["a"], rows: [[{ nested: 1 }]] } }, "props.rows.0.0: Expected a text"],
    [{ component: "table", props: { columns: [], rows: [] } }, "props.columns: "],
    [{ component: "keyvalue", props: { items: [{ label: "", value: 1 }] } }, "props.items.0.label: "],
    [{ component: "timeline", props: { steps: [{ label: "a", state: "later" }] } }, "props.steps.0.state: "],
    [{ component: "timeline", props: 7 }, "props: "],
    [
      {
        component: "table",
        props: { columns: ["a"], rows: Array.from({ length: COMPONENT_LIMITS.rows + 1 }, () => [1]) },
      },
      "props.rows: ",
    ],
    [
      { component: "table", props: { columns: ["a"], rows: [["x".repeat(COMPONENT_LIMITS.cellChars + 1)]] } },
      "props.rows.0.0: ",
    ],
  ])("refuses wrong props and names them (%#)", async (args, message) => {
    await expect(call(showComponent, args)).rejects.toThrow(message);
  });
});

describe("any arguments at all", () => {
  it("give a value or an error with a message, in every tool", async () => {
    const args = fc.dictionary(
      fc.constantFrom("timezone", "expression", "question", "title", "steps", "component", "props", "description"),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...generalTools()), args, async (tool, given) => {
        const result = await call(tool, given).catch((error: unknown) => error);
        if (result instanceof Error) expect(result.message).not.toBe("");
        else expect(["string", "object"]).toContain(typeof result);
      }),
    );
  });
});
