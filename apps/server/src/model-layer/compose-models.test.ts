import { localGateway, textReply } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { createLiveSettings, loadServerSettings } from "../settings/index.ts";
import { temporaryFolders } from "../testing/index.ts";
import { composeModels } from "./compose-models.ts";
import { MOST_LEARNT } from "./model-facts.ts";

it("takes a model's window and image support from its connection, else from the gateway (R13)", async () => {
  const gateway = await localGateway(textReply("x"));
  gateway.list([
    { id: "declared", context_length: 1 },
    { id: "reported", context_length: 32_768, supports_vision: true },
  ]);
  const folders = temporaryFolders(`
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", models: { declared: { context_window: 9000 } } }
model: { name: "gw:reported" }
`);
  const settings = loadServerSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const models = composeModels(settings);
  try {
    // The first turn does not wait for the gateway's list.
    expect(models.choose(undefined).windowTokens).toBeUndefined();
    expect(models.leadTakesImages).toBeUndefined();
    await expect.poll(() => models.choose(undefined).windowTokens).toBe(32_768);
    expect(models.leadTakesImages).toBe(true);
    expect(models.choose("gw:declared").windowTokens).toBe(9_000);
    expect(["declared", "unknown"].map(models.windowOf)).toEqual([9_000, undefined]);
    expect(models.choose("gw:unknown").windowTokens).toBeUndefined();
  } finally {
    await models.close();
    await gateway.close();
    folders.remove();
  }
});

it("takes a model's price from its connection, else the gateway, else what vendors publish (R13)", async () => {
  const gateway = await localGateway(textReply("x"));
  gateway.list([{ id: "gpt-4o" }, { id: "claude-sonnet-4-5" }, { id: "own" }, { id: "unlisted" }]);
  const info = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002, max_input_tokens: 5_000 };
  gateway.describe([
    { model_name: "gpt-4o", litellm_params: { model: "azure/gpt-4o" }, model_info: info },
    { model_name: "own", model_info: { ...info, supports_vision: true } },
  ]);
  const folders = temporaryFolders(`
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", models: { own: { price: { input: 7 } } } }
model: { name: "gw:gpt-4o" }
`);
  const settings = loadServerSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const models = composeModels(settings);
  const priceOf = (value: string) => {
    const { price } = models.choose(value);
    return typeof price === "function" ? price() : price;
  };
  try {
    // Until the gateway responds, what vendors publish applies, also for the turn that runs meanwhile.
    const first = models.choose(undefined);
    expect(first.windowTokens).toBe(128_000);
    await expect.poll(() => models.choose(undefined).windowTokens).toBe(5_000);
    expect(typeof first.price === "function" ? first.price() : first.price).toEqual({ input: 1, output: 2 });
    expect(priceOf("gw:own")).toMatchObject({ input: 7 });
    expect(priceOf("gw:claude-sonnet-4-5")).toMatchObject({ input: 3, output: 15 });
    expect(models.choose("gw:claude-sonnet-4-5").windowTokens).toBe(200_000);
    expect(priceOf("gw:unlisted")).toBeUndefined();
    expect(models.choose("gw:own").images?.taken()).toBe(true);
    expect(models.price("gpt-4o")).toEqual({ input: 1, output: 2 });
  } finally {
    await models.close();
    await gateway.close();
    folders.remove();
  }
});

it("takes a model's reasoning efforts from its connection, else the gateway, else what vendors publish", async () => {
  const gateway = await localGateway(textReply("x"));
  const reasoning = { supported_parameters: ["reasoning_effort"] };
  gateway.list([{ id: "own", ...reasoning }, { id: "listed", ...reasoning }, { id: "gpt-5.1" }, { id: "unlisted" }]);
  const folders = temporaryFolders(`
providers:
  - { id: gw, base_url: "${gateway.baseUrl}", models: { own: { reasoning_efforts: [none, high] } } }
  - { id: anthropic, base_url: "https://api.anthropic.com/v1" }
  - { id: demo, type: scripted }
model: { name: "gw:listed", reasoning_effort: high }
`);
  const settings = loadServerSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const models = composeModels(settings);
  const taken = (value: string) => models.choose(value).efforts?.taken();
  try {
    expect(models.leadEfforts).toBeUndefined();
    await expect.poll(() => models.leadEfforts).toEqual(["low", "medium", "high"]);
    expect(models.choose(undefined).settings?.reasoningEffort).toBe("high");
    expect([taken("gw:own"), taken("gw:gpt-5.1"), taken("gw:unlisted")]).toEqual([
      ["none", "high"],
      ["none", "low", "medium", "high"],
      undefined,
    ]);
    // Anthropic's OpenAI-compatible endpoint ignores the parameter; the scripted model does not reason.
    expect([taken("anthropic:claude-opus-4-6"), taken("demo:demo")]).toEqual([[], []]);
    models.choose("gw:listed").efforts?.refused("high");
    expect([models.leadEfforts, models.efforts("listed", { connection: "gw", reported: ["high"] })]).toEqual([
      ["low", "medium"],
      [],
    ]);
    // The names are whoever asks's to choose: what is kept of them has a bound, and the newest stay.
    for (let at = 0; at < MOST_LEARNT; at++) {
      models.choose(`gw:made-up-${at}`).efforts?.refused("low");
      models.choose(`gw:made-up-${at}`).images?.refused();
    }
    expect(models.leadEfforts).toEqual(["low", "medium", "high"]);
    expect(models.choose(`gw:made-up-${MOST_LEARNT - 1}`).images?.taken()).toBe(false);
  } finally {
    await models.close();
    await gateway.close();
    folders.remove();
  }
});

it("calls with the sampling settings that are set, and leaves out the others", async () => {
  const folders = temporaryFolders();
  const settingsWith = async (model: string) => {
    folders.configure(`model: { name: "scripted:demo", ${model} }\n`);
    const models = composeModels(
      loadServerSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } }),
    );
    const { settings } = models.choose(undefined);
    await models.close();
    return settings;
  };
  try {
    expect(await settingsWith("temperature: 0.5, max_tokens: 9")).toEqual({ temperature: 0.5, maxTokens: 9 });
    const more = "top_p: 0.9, top_k: 3, presence_penalty: 0.1, repetition_penalty: 1.1, chat_template_kwargs: { a: 1 }";
    expect(await settingsWith(`temperature: 0, max_tokens: 9, ${more}`)).toEqual({
      ...{ temperature: 0, maxTokens: 9, topP: 0.9, topK: 3 },
      ...{ presencePenalty: 0.1, repetitionPenalty: 1.1, chatTemplateKwargs: { a: 1 } },
    });
  } finally {
    folders.remove();
  }
});

it("warns once of a model whose prompt cache has no hit, whatever is configured meanwhile", async () => {
  const gateway = await localGateway(textReply("ok"));
  const config = (tokens: number) =>
    `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]\nmodel: { name: "gw:m", max_tokens: ${tokens} }\n`;
  const folders = temporaryFolders(config(1));
  const live = createLiveSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const warnings: string[] = [];
  const models = composeModels(live.settings, { warn: (message) => warnings.push(message) });
  try {
    for (let tokens = 1; tokens <= 3; tokens++) {
      folders.configure(config(tokens));
      live.reload();
      const { model, name, settings } = models.choose(undefined);
      expect(settings).toMatchObject({ maxTokens: tokens });
      const request = { model: name, system: "long ".repeat(2_000), messages: [], tools: [], settings: {} };
      for (let i = 0; i < 4; i++)
        await Array.fromAsync(model.stream(request, { signal: new AbortController().signal }));
    }
    expect(warnings).toEqual([expect.stringContaining("the prompt cache of the model gw:m")]);
  } finally {
    await models.close();
    await gateway.close();
    folders.remove();
  }
});

it("closes a former connection when the last turn that began with it has ended (S8)", async () => {
  const gateway = await localGateway(textReply("ok"));
  const config = (model: string) =>
    `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]\nmodel: { name: "gw:${model}" }\n`;
  const folders = temporaryFolders(config("first"));
  const live = createLiveSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const models = composeModels(live.settings);
  const ask = async ({ model, name }: ReturnType<typeof models.choose>): Promise<string> => {
    const request = { model: name, messages: [], tools: [], settings: {} };
    const events = await Array.fromAsync(model.stream(request, { signal: new AbortController().signal }));
    return events.map((event) => (event.kind === "text" ? event.text : "")).join("");
  };
  try {
    const former = models.choose(undefined);
    former.use?.begin();
    folders.configure(config("second"));
    live.reload();
    const next = models.choose(undefined);
    expect([former.name, await ask(former), next.name, await ask(next)]).toEqual(["first", "ok", "second", "ok"]);
    former.use?.end();
    await expect(ask(former)).rejects.toThrow();
    expect(await ask(next)).toBe("ok");
  } finally {
    await models.close();
    await gateway.close();
    folders.remove();
  }
});
