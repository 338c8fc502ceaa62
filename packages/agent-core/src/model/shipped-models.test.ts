import { expect, it } from "vitest";
import { shippedModels } from "./shipped-models.ts";

const models = shippedModels();

it("contains what vendors publish of their models", () => {
  expect(models.of("gpt-4o")).toEqual({
    price: { input: 2.5, output: 10, cacheRead: 1.25 },
    contextWindow: 128_000,
    vision: true,
  });
  expect(models.of("gpt-5.1")?.efforts).toEqual(["none", "low", "medium", "high"]);
  expect(models.of("claude-opus-4-6")?.efforts).toEqual(["low", "medium", "high", "max"]);
  expect(models.of("gpt-5-chat-latest")?.efforts).toBeUndefined();
  expect(models.of("claude-sonnet-4-5")?.price).toEqual({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
});

it("takes no account of a vendor before the name, a date after it and dots in it; another name is another model", () => {
  expect(models.of("openai/gpt-4o-2024-08-06")).toEqual(models.of("gpt-4o"));
  expect(models.of("anthropic/claude-sonnet-4.5")).toEqual(models.of("claude-sonnet-4-5-20250929"));
  for (const other of ["gpt-4o-my-finetune", "constructor", "qwen3:8b", ""]) expect(models.of(other)).toBeUndefined();
});
