import { fakeContext } from "@agent-service/plugin-sdk/testing";
import * as v from "valibot";
import { expect, it } from "vitest";
import { improveTools, saveSkillTool } from "./save-tools.ts";
import type { SkillShelf } from "./skill-shelf.ts";

const asked: unknown[][] = [];
const record =
  (verb: string) =>
  async (...args: unknown[]) => {
    asked.push([verb, ...args]);
    return { name: String(args[0]), version: 7 };
  };
const shelf: Pick<SkillShelf, "create" | "update" | "remove"> = {
  create: record("create"),
  update: record("update"),
  remove: record("remove"),
};
const options = { shelf, redact: (text: string) => text.replaceAll("s3cret", "***") };
const tools = [saveSkillTool(options), ...improveTools(options)];
const tool = (name: string) => tools.find((one) => one.name === name)!;
const call = async (name: string, args: object, context: Parameters<typeof fakeContext>[0] = {}) =>
  tool(name).run(
    v.parse(tool(name).input, args),
    fakeContext({ callId: "c", contextId: "talk", taskId: "t", ...context }),
  );

it("saves under the id of the call, with where it comes from, and without secrets (K28, S5)", async () => {
  const args = {
    name: "tea",
    description: "Makes tea.",
    body: "Use s3cret.",
    provenance_reason: "s3cret",
    tools: null,
  };
  expect(await call("save_skill", args)).toBe("Saved the skill 'tea' (version 7).");
  const change = { author: "agent", session: "talk", task: "t", call: "c" };
  expect(asked.pop()).toEqual([
    "create",
    "tea",
    { description: "Makes tea.", body: "Use ***.", tools: [] },
    { ...change, reason: "***" },
    { metadata: { origin: "learned" } },
  ]);
  const more = { name: "tea", body: "Better.", reason: "It was wrong.", source_session_id: "earlier" };
  expect(await call("update_skill", more)).toBe("Changed the skill 'tea' (version 7).");
  expect(asked.pop()).toEqual([
    "update",
    "tea",
    { body: "Better." },
    { ...change, session: "earlier", reason: "It was wrong." },
  ]);
  expect(await call("delete_skill", { name: "tea", reason: "Old." })).toBe("Deleted the skill 'tea'.");
  expect(asked.pop()).toEqual(["remove", "tea", { ...change, reason: "Old." }]);
});

const EXAMPLES: readonly (readonly [string, object])[] = [
  ["save_skill", { name: "tea", description: "Makes tea.", body: "Boil." }],
  ["update_skill", { name: "tea", body: "Boil.", reason: "Wrong." }],
  ["delete_skill", { name: "tea", reason: "Old." }],
];

it.each(EXAMPLES)(
  "%s waits for a person where content from outside was read (K8), and only there",
  async (name, args) => {
    const input = v.parse(tool(name).input, args);
    const ask = (tainted: boolean) => tool(name).approval?.(input, fakeContext({ caller: { tainted } }));
    expect(await ask(false)).toBeUndefined();
    expect(await ask(true)).toMatchObject({ always: true, detail: expect.stringContaining("content from outside") });
  },
);

it.each(EXAMPLES)("%s keeps nothing of an incognito conversation", async (name, args) => {
  expect(await call(name, args, { caller: { incognito: true } })).toContain("keeps nothing");
  expect(asked).toEqual([]);
});
