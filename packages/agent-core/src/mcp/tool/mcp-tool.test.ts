import { isAvailableTo } from "@agent-service/plugin-sdk";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import * as v from "valibot";
import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../json/index.ts";
import { type PinnedDefinition, readDefinitions, type ToolDefinition } from "../definition/index.ts";
import { McpTools, type ToolParts, toolRows } from "./index.ts";

let shown: JsonObject[];
let pin: PinnedDefinition;
let ran: unknown[][];
beforeEach(() => {
  [shown, ran] = [[], []];
  pin = pinOf({ name: "put", description: "Puts\u202e it.", inputSchema: { type: "object", "\u200bx": "\u200by" } });
});

function pinOf(tool: object): PinnedDefinition {
  const [approved] = readDefinitions({ tools: [tool] }).definitions;
  if (approved === undefined) throw new Error("no definition");
  const { kind, name } = approved;
  return { kind, name, digest: "d", approved, seen: undefined, state: "approved", seenAt: 1, decidedAt: undefined };
}

const toolsOf = () =>
  new McpTools((schema) => {
    shown.push(schema);
    return v.unknown();
  });
const partsOf = (more: Partial<ToolParts> = {}): ToolParts => ({
  ...{ server: "files", name: "files__put", definition: pin.approved as ToolDefinition, effect: "effect" },
  ...{ approve: "never", federation: false },
  calls: {
    pin: () => pin,
    run: (tool, input) => {
      ran.push([tool, input]);
      return "done";
    },
  },
  ...more,
});

test("the engine gets the approved text without what cannot be seen, and calls go to the server's own name", async () => {
  const [tool] = toolsOf().update([partsOf()]);
  expect(tool).toMatchObject({ name: "files__put", description: "Puts it.", effect: "effect", timeoutMs: null });
  expect(shown).toEqual([{ type: "object", x: "y" }]);
  expect(await tool?.run({ a: 1 }, fakeContext())).toBe("done");
  expect(ran).toEqual([["put", { a: 1 }]]);
});

test("arguments are checked against the approved schema", () => {
  pin = pinOf({ name: "put", inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } });
  const [tool] = new McpTools().update([partsOf()]);
  expect([{ n: 1 }, { n: "1" }, {}].map((input) => tool && v.safeParse(tool.input, input).success)).toEqual([
    ...[true, false, false],
  ]);
});

test("turns of peers have it with federation only", () => {
  const [own, shared] = toolsOf().update([partsOf(), partsOf({ name: "files__b", federation: true })]);
  const peer = { subagent: false, peer: true };
  expect([own, shared].map((tool) => tool && isAvailableTo(peer, tool))).toEqual([false, true]);
  expect(own && isAvailableTo({ subagent: true, peer: false }, own)).toBe(true);
});

test("a person is asked as the server's settings say, and can waive it for a chat", () => {
  const [asks, marked] = toolsOf().update([partsOf({ approve: "always" }), partsOf({ name: "b", approve: "marked" })]);
  expect(asks?.approval?.({}, fakeContext())).toEqual({
    title: "Call put of files?",
    detail: "The settings of the server ask before every call.",
    bypassable: true,
  });
  expect(marked?.approval).toBeUndefined();
});

test("a call of what is not approved any more, or gone, says so and reaches no server", async () => {
  const [tool] = toolsOf().update([partsOf()]);
  const approved = pin;
  const [seen] = readDefinitions({
    tools: [{ name: "put", inputSchema: { type: "object", required: ["a"] } }],
  }).definitions;
  const call = async () => tool?.run({}, fakeContext());
  pin = { ...approved, state: "held", seen };
  await expect(call()).rejects.toThrow("the definition of this tool changed and waits for the operator");
  pin = { ...approved, approved: seen };
  await expect(call()).rejects.toThrow("changed meanwhile");
  pin = { ...approved, state: "gone" };
  await expect(call()).rejects.toMatchObject({ code: "mcp.held" });
  expect(ran).toEqual([]);
});

test("a tool and the list are the same objects while nothing changed", () => {
  const tools = toolsOf();
  const calls = partsOf().calls;
  const parts = () => [partsOf({ calls }), partsOf({ calls, name: "files__b" })];
  const before = tools.update(parts());
  expect(tools.update(parts())).toBe(before);
  const after = tools.update([partsOf({ calls, approve: "always" }), partsOf({ calls, name: "files__b" })]);
  expect([after[0] === before[0], after[1] === before[1], shown.length]).toEqual([false, true, 3]);
});

test("rows name each tool, what the settings and its pin make of it, and never rename an approved one", () => {
  const settings = { name: "s", include: [], exclude: ["no*"], effects: { "x*": "pure" as const } };
  const held = { ...pinOf({ name: "x.y" }), state: "held" as const, decidedAt: undefined };
  const waiting: PinnedDefinition = { ...held, approved: undefined, seen: held.approved };
  const pins = [
    pinOf({ name: "x y" }),
    waiting,
    pinOf({ name: "nope" }),
    { ...pinOf({ name: "z" }), state: "gone" as const },
  ];
  const rows = toolRows([{ settings, pins }], ["s__q*"]).get("s") ?? [];
  expect(rows.map(({ fullName, state, effect, offered }) => [fullName, state, effect, offered?.name])).toEqual([
    ["s__x_y", "on", "pure", "x y"],
    [expect.stringMatching(/^s__x_y_[0-9a-f]{8}$/), "held", "pure", undefined],
    ["s__nope", "off", "effect", undefined],
    ["s__z", "gone", "effect", undefined],
  ]);
});
