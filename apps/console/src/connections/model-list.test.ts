import { expect, test } from "vitest";
import { matching } from "./model-list.tsx";

const models = [{ name: "openai/gpt-5-mini" }, { name: "openai/gpt-5" }, { name: "Qwen3:8b" }];

test("a search finds the models whose name has each of its words, in any order and case", () => {
  expect(matching(models, "MINI gpt").map(({ name }) => name)).toEqual(["openai/gpt-5-mini"]);
  expect(matching(models, "qwen").map(({ name }) => name)).toEqual(["Qwen3:8b"]);
  expect(matching(models, " ")).toEqual(models);
  expect(matching(models, "claude")).toEqual([]);
});
