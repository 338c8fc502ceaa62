import type { AnyTool } from "@agent-service/plugin-sdk";
import { fakeHost } from "@agent-service/plugin-sdk/testing";
import { describe, expect, it } from "vitest";
import { configTools, type ShownSetting } from "./index.ts";

const settings: readonly ShownSetting[] = [
  { key: "model.name", value: '"x"', source: "default" },
  { key: "model.list", value: "y".repeat(1000), source: "agent-config.yaml:3" },
  ...Array.from({ length: 250 }, (_, index) => ({ key: `many.k${index}`, value: "1", source: "default" })),
];

function call(tools: readonly AnyTool[], name: string, args: unknown, caller = "operator") {
  return fakeHost({ tools }).call(name, args, { caller: { class: caller } });
}
const host = () => {
  const saves: unknown[] = [];
  const save = async (updates: { readonly [key: string]: unknown }) => {
    if ("auth.token" in updates) throw new Error("auth.token may not be changed by the agent");
    saves.push(updates);
    return ["Saved: model.name."];
  };
  return { saves, tools: configTools({ settings: () => settings, save }) };
};

describe("show_config (B89)", () => {
  it("shows values with their sources, clipped, by section, and in pages", async () => {
    const { tools } = host();
    const model = await call(tools, "show_config", { section: "model" });
    expect(model).toMatchObject({
      kind: "returned",
      output: `model.name = "x"  (default)\nmodel.list = ${"y".repeat(300)}…  (agent-config.yaml:3)`,
    });
    const first = await call(tools, "show_config", {});
    expect(first).toMatchObject({
      output: expect.stringMatching(/many\.k97 = 1 {2}\(default\)\n152 more: call again with offset 100$/),
    });
    const last = await call(tools, "show_config", { section: "many", offset: 248, limit: 10 });
    expect(last).toMatchObject({ output: "many.k248 = 1  (default)\nmany.k249 = 1  (default)" });
    expect(await call(tools, "show_config", { offset: 900 })).toMatchObject({
      output: "nothing: there are 252 settings",
    });
  });

  it("names the sections there are for one there is not", async () => {
    const wrong = await call(host().tools, "show_config", { section: "nobody" });
    expect(wrong).toMatchObject({
      kind: "threw",
      error: { message: expect.stringMatching(/there are: model, many$/) },
    });
  });
});

describe("set_config (B89)", () => {
  it("saves what it is given and returns what was changed; a refusal is an error the model reads", async () => {
    const { tools, saves } = host();
    expect(await call(tools, "set_config", { updates: { "model.name": "y" } })).toMatchObject({
      output: "Saved: model.name.",
    });
    expect(saves).toEqual([{ "model.name": "y" }]);
    const refused = await call(tools, "set_config", { updates: { "auth.token": "t", "model.name": "z" } });
    expect(refused).toMatchObject({ kind: "threw", error: { message: "auth.token may not be changed by the agent" } });
    expect(saves).toHaveLength(1);
  });

  it("is not there unless the host lets the model write", () => {
    const read = configTools({ settings: () => settings });
    expect(read.map(({ name }) => name)).toEqual(["show_config"]);
  });
});

it("neither serves a peer's task (A16)", async () => {
  const { tools, saves } = host();
  for (const [name, args] of [
    ["show_config", {}],
    ["set_config", { updates: { "model.name": "y" } }],
  ] as const)
    expect(await call(tools, name, args, "federation")).toMatchObject({ kind: "unavailable" });
  expect(saves).toEqual([]);
});
