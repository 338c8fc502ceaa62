import * as v from "valibot";
import { expect, test } from "vitest";
import { modelSection } from "./model-section.ts";
import { providersSection } from "./providers-section.ts";

test("every key of `model` has its default (B52)", () => {
  expect(v.parse(modelSection.schema, {})).toEqual({
    name: "protolabs/reasoning",
    temperature: 0.2,
    max_tokens: 32_768,
    reasoning_effort: "",
    max_iterations: 2000,
    favorites: [],
    request_timeout: 120,
    max_retries: 2,
    max_inflight: 0,
    inflight_queue_timeout: 300,
    inflight_interactive_reserve: 1,
    top_k: -1,
    provider: "",
    api_base: "",
    api_key: "",
  });
});

test.each([
  [0, 5, 5],
  [1, 1, 0],
  [4, 1, 1],
  [4, 9, 3],
])(
  "with %d calls at once, a reserve of %d becomes %d (B52: clamped to max_inflight minus 1)",
  (limit, reserve, clamped) => {
    const model = v.parse(modelSection.schema, { max_inflight: limit, inflight_interactive_reserve: reserve });
    expect(model.inflight_interactive_reserve).toBe(clamped);
  },
);

test.each<[string, unknown]>([
  ["name", " "],
  ["name", "x".repeat(300)],
  ["temperature", -0.1],
  ["temperature", "0.5"],
  ["temperature", Number.NaN],
  ["max_tokens", 0],
  ["max_tokens", 1.5],
  ["max_iterations", Number.POSITIVE_INFINITY],
  ["favorites", ["a", 5]],
  ["request_timeout", 0],
  ["max_retries", -1],
  ["top_p", 1.1],
  ["top_k", "many"],
  ["chat_template_kwargs", "x"],
  ["chat_template_kwargs", ["x"]],
  ["round_hard_cap", 0],
  ["provider", "anthropic"],
  ["api_base", "gateway:4000"],
  ["api_base", "ftp://gateway"],
  ["api_base", "http://user:key@gateway/v1"],
  ["api_base", "http://gateway/v1?key=x"],
  ["api_key", "line\nbreak"],
  ["api_key", "schlüssel"],
])("%s refuses %j", (key, value) => {
  expect(v.safeParse(modelSection.schema, { [key]: value }).success).toBe(false);
});

test("blanks around a key or an address are dropped, as an environment often leaves a line break", () => {
  const { api_key, api_base } = v.parse(modelSection.schema, {
    api_key: "sk-1\n",
    api_base: " http://gateway:4000/v1 ",
  });
  expect([api_key, api_base]).toEqual(["sk-1", "http://gateway:4000/v1"]);
});

test("absent connections are not an empty list of them (B51 providers, rule 3)", () => {
  expect(v.parse(providersSection.schema, undefined)).toBeUndefined();
  expect(v.parse(providersSection.schema, [])).toEqual([]);
  expect(v.parse(providersSection.schema, [{ id: "local" }])).toEqual([
    { id: "local", type: "compat-gateway", label: "", base_url: "", api_key: "", models: {} },
  ]);
});

test.each<[string, unknown]>([
  ["an id with capitals", { id: "Local" }],
  ["an id with a colon", { id: "a:b" }],
  ["an id that starts with a minus", { id: "-a" }],
  ["an unknown type", { id: "a", type: "openai" }],
  ["a key that cannot travel in a header", { id: "a", api_key: "a\u0000b" }],
  ["a key that is a list", { id: "a", api_key: ["k"] }],
  ["facts that are a list", { id: "a", models: [] }],
  ["a context window of nothing", { id: "a", models: { m: { context_window: 0 } } }],
  ["a negative price", { id: "a", models: { m: { price: { input: -1 } } } }],
])("a connection with %s is refused", (_what, connection) => {
  expect(v.safeParse(providersSection.schema, [connection]).success).toBe(false);
});

test("facts of a model and a subscription's credential are read whole (R13, R9)", () => {
  const [connection] =
    v.parse(providersSection.schema, [
      {
        id: "a",
        models: { "qwen3:8b": { context_window: 32_768, vision: true, price: { input: 1, output: 2 } } },
        api_key: {
          access_token: "t",
          refresh_token: "r",
          expires_at: 5,
          token_endpoint: "https://x.test/t",
          client_id: "c",
        },
      },
    ]) ?? [];
  expect(connection?.models["qwen3:8b"]).toEqual({
    context_window: 32_768,
    vision: true,
    price: { input: 1, output: 2 },
  });
  expect(connection?.api_key).toMatchObject({ access_token: "t", client_id: "c" });
});
