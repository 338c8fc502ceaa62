import { expect, test } from "vitest";
import { type Tool, toolGroups, withName } from "./tool-groups.ts";

const tool = (name: string, source: Tool["source"], category: string): Tool => ({
  ...{ name, source, category, description: `Does ${name}.`, enabled: true },
  ...{ deferred: false, blocked: false, operator_only: false, requires_approval: false },
});
const tools = [tool("calculator", "core", "general"), tool("say", "mcp", "voice"), tool("wait", "core", "general")];

test("tools are grouped by their source, and a search leaves out empty groups", () => {
  const shown = (search: string) =>
    toolGroups(tools, search).map((one) => [one.title, one.tools.map(({ name }) => name)]);
  expect(shown("")).toEqual([
    ["General", ["calculator", "wait"]],
    ["MCP server voice", ["say"]],
  ]);
  expect(shown("voice SAY")).toEqual([["MCP server voice", ["say"]]]);
  expect(shown("nothing")).toEqual([]);
});

test("switching one tool leaves what else is written as it is", () => {
  expect(withName(["say", "not-there-yet"], "wait", true)).toEqual(["say", "not-there-yet", "wait"]);
  expect(withName(["say", "wait"], "wait", false)).toEqual(["say"]);
  expect(withName(["wait"], "wait", true)).toEqual(["wait"]);
});
