import * as v from "valibot";
import { expect, test } from "vitest";
import type { ModelTool } from "../model/index.ts";
import { searchTools, type Toolbox } from "./index.ts";
import { ToolIndex } from "./tool-index.ts";

const tool = (name: string, description: string): ModelTool => ({ name, description, parameters: { type: "object" } });
const names = (tools: readonly ModelTool[]) => tools.map(({ name }) => name);

const TOOLS = [
  tool("mail__list", "Lists the messages of a folder."),
  tool("mail__send", "Sends a message."),
  tool("files__list", "Lists the files of a folder."),
  tool("files__searchText", "Finds text in files."),
  tool("wetter", "Zeigt das Wetter für München, Zürich und 東京都."),
];

test.each([
  ["send message", ["mail__send", "mail__list"]],
  ["list files", ["files__list", "files__searchText", "mail__list"]],
  ["SEARCHING", ["files__searchText"]],
  ["münchen", ["wetter"]],
  ["東京", ["wetter"]],
  ["nothing like it", []],
  ["  ", names(TOOLS)],
])("%j finds, best first, %j", (query, expected) => {
  expect(names(new ToolIndex(TOOLS).find(query))).toEqual(expected);
});

test("a rare word counts more than a common one", () => {
  const many = Array.from({ length: 50 }, (_, n) => tool(`list_${n}`, "Lists."));
  const index = new ToolIndex([...many, tool("refund", "Gives money back; see the list.")]);
  expect(names(index.find("list refund"))[0]).toBe("refund");
});

test("a long query and long descriptions are read in part", () => {
  const index = new ToolIndex([tool("a", `${"word ".repeat(5000)}hidden`), ...TOOLS]);
  expect(names(index.find("hidden"))).toEqual([]);
  const filler = Array.from({ length: 16 }, (_, n) => `q${n}q`).join(" ");
  expect(names(index.find(`${filler} wetter`))).toEqual([]);
});

test("the index is built once per list", async () => {
  let reads = 0;
  const counted = Object.defineProperty({ ...TOOLS[1]! }, "description", {
    get() {
      reads++;
      return "Sends a message.";
    },
  });
  let withheld = new Map([[counted.name, counted]]);
  const search = searchTools({ for: () => ({ withheld }) as unknown as Toolbox });
  const find = async (query: string) => search.run({ query, limit: 10 }, { caller: { class: "operator" } } as never);
  expect(await find("send")).toEqual({ tools: [{ name: "mail__send", description: "Sends a message." }], found: 1 });
  const once = reads;
  await find("nothing");
  expect(reads).toBe(once);
  withheld = new Map([[TOOLS[4]!.name, TOOLS[4]!]]);
  expect(await find("send")).toEqual({ tools: [], found: 0 });
  expect(await find("wetter")).toMatchObject({ found: 1 });
});

test("search_tools takes the arguments it had", () => {
  const { input } = searchTools({ for: () => ({}) as Toolbox });
  expect(v.parse(input, {})).toEqual({ query: "", limit: 10 });
  expect(v.parse(input, { limit: 99 })).toMatchObject({ limit: 50 });
});
