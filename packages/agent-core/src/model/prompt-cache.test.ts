import { describe, expect, it } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { ModelError } from "./model-error.ts";
import type { Model, ModelEvent, ModelRequest, ModelUsage } from "./model-port.ts";
import { createPromptCache, type PromptCacheSettings } from "./prompt-cache.ts";

const SYSTEM = "You are careful. ".repeat(300);

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  const messages = [{ role: "user" as const, content: [{ kind: "text" as const, text: "hi" }] }];
  return { model: "m1", system: SYSTEM, messages, tools: [], settings: {}, ...more };
}

async function ask(model: Model, more: Partial<ModelRequest> = {}, onRetry?: () => void): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const options = { signal: new AbortController().signal, ...(onRetry === undefined ? {} : { onRetry }) };
  for await (const event of model.stream(request(more), options)) events.push(event);
  return events;
}

function cached(inner: ScriptedModel, settings: Partial<PromptCacheSettings> = {}) {
  const warnings: string[] = [];
  const clock = manualClock();
  const cache = createPromptCache({
    settings: () => ({ enabled: true, ttl: "5m", force: false, ...settings }),
    warn: (message) => warnings.push(message),
    clock,
  });
  return { cache, model: cache.wrap("local", inner), warnings, clock, inner };
}

const marks = (inner: ScriptedModel) => inner.calls.map((call) => call.request.cache);
const refused = new ModelError("bad_request", "local answered 400: cache_control: Extra inputs are not permitted");

describe("prompt cache (B55 `prompt_cache`)", () => {
  it("asks for every model, with the ttl, and passes everything through", async () => {
    const { model, inner } = cached(scriptedModel(["a", "b"]), { ttl: "1h" });
    expect(await ask(model)).toEqual([
      { kind: "text", text: "a" },
      { kind: "finish", reason: "stop" },
    ]);
    await ask(model, { model: "other" });
    expect(marks(inner)).toEqual([{ ttl: "1h" }, { ttl: "1h" }]);
    expect(inner.calls[0]?.request.messages).toEqual(request().messages);
  });

  it("does nothing when off", async () => {
    const { model, inner } = cached(scriptedModel(["a"]), { enabled: false });
    await ask(model);
    expect(marks(inner)).toEqual([undefined]);
  });

  it("a refusal gives one retry without marks, and plain delivery of that model from then on (PC1)", async () => {
    const { model, inner, warnings } = cached(scriptedModel([[{ fail: refused }], "plain", "plain again", "other"]));
    let retries = 0;
    expect(await ask(model, {}, () => retries++)).toContainEqual({ kind: "text", text: "plain" });
    await ask(model);
    await ask(model, { model: "m2" });
    expect(marks(inner)).toEqual([{ ttl: "5m" }, undefined, undefined, { ttl: "5m" }]);
    expect(retries).toBe(1);
    expect(warnings).toEqual([expect.stringContaining("local:m1 refuses cache markers")]);
  });

  it.each([
    "local answered 400: messages.0.content: Input should be a valid string",
    "local answered 400: content must be a string",
    "local answered 422: invalid type: sequence, expected a string",
    "local answered 400: json: cannot unmarshal array into Go struct field .messages.content of type string",
    "local answered 400: Unknown field prompt_cache",
  ])("reads as a refusal: %s", async (message) => {
    const { model, inner } = cached(scriptedModel([[{ fail: new ModelError("bad_request", message) }], "plain"]));
    await ask(model);
    expect(marks(inner)).toEqual([{ ttl: "5m" }, undefined]);
  });

  it.each([
    new ModelError("bad_request", "local answered 400: temperature is out of range"),
    new ModelError("bad_request", "local answered 400: the content was blocked by a policy"),
    new ModelError("unauthorized", "local answered 401: cache_control"),
    new ModelError("upstream", "local answered 500"),
  ])("other failures are the call's own: %s", async (error) => {
    const { model, inner } = cached(scriptedModel([[{ fail: error }]]));
    await expect(ask(model)).rejects.toBe(error);
    expect(inner.calls).toHaveLength(1);
  });

  it("nothing is asked again after the first event", async () => {
    const { model, inner } = cached(scriptedModel([[{ say: "half" }, { fail: refused }]]));
    await expect(ask(model)).rejects.toBe(refused);
    expect(inner.calls).toHaveLength(1);
  });

  it("force marks always and never falls back", async () => {
    const { model, inner } = cached(scriptedModel([[{ fail: refused }], [{ fail: refused }]]), { force: true });
    await expect(ask(model)).rejects.toBe(refused);
    await expect(ask(model)).rejects.toBe(refused);
    expect(marks(inner)).toEqual([{ ttl: "5m" }, { ttl: "5m" }]);
  });

  it("force that is set after a refusal marks again", async () => {
    const settings = { force: false };
    const inner = scriptedModel([[{ fail: refused }], "a", "b", "c"]);
    const { model } = cached(inner, settings);
    await ask(model);
    await ask(model);
    settings.force = true;
    await ask(model);
    expect(marks(inner)).toEqual([{ ttl: "5m" }, undefined, undefined, { ttl: "5m" }]);
  });

  const usage = (more: Partial<ModelUsage>) => [{ usage: { input: 1_200, output: 1, ...more } }, { say: "ok" }];
  const counted = { cacheCounted: true } as const;

  it("three calls in a row without a hit are warned of once for each model", async () => {
    const { model, warnings } = cached(scriptedModel(() => usage(counted)));
    for (let i = 0; i < 9; i++) await ask(model);
    for (let i = 0; i < 4; i++) await ask(model, { model: "m2" });
    expect(warnings).toEqual([
      expect.stringContaining("local:m1 had no hit in 3 calls"),
      expect.stringContaining("local:m2 had no hit in 3 calls"),
    ]);
  });

  it("are warned of once for each model, however often its connection is made anew (PC3)", async () => {
    const inner = scriptedModel((_, n) => (n % 2 === 0 ? usage(counted) : usage({})));
    const { cache, warnings } = cached(inner);
    for (let made = 0; made < 3; made++) {
      const model = cache.wrap("local", inner);
      for (let i = 0; i < 4; i++) await ask(model);
    }
    expect(warnings).toEqual([expect.stringContaining("local:m1 had no hit")]);
  });

  it("a connection that was made anew is asked with marks again, for its address may be another one", async () => {
    const inner = scriptedModel([[{ fail: refused }], "plain", [{ fail: refused }], "plain"]);
    const { cache, warnings } = cached(inner);
    await ask(cache.wrap("local", inner));
    await ask(cache.wrap("local", inner));
    expect(marks(inner)).toEqual([{ ttl: "5m" }, undefined, { ttl: "5m" }, undefined]);
    expect(warnings).toHaveLength(1);
  });

  it("a provider that reports no cached tokens is distinguished from one that reports zero", async () => {
    const { model, warnings } = cached(scriptedModel(() => usage({})));
    for (let i = 0; i < 4; i++) await ask(model);
    expect(warnings).toEqual([expect.stringContaining("does not say how many tokens were cached")]);
  });

  it("does not warn after a hit, for short prefixes, or when calls are further apart than the cache's lifetime", async () => {
    const hit = cached(scriptedModel((_, n) => usage({ ...counted, cacheRead: n === 2 ? 1_000 : 0 })));
    for (let i = 0; i < 9; i++) await ask(hit.model);
    const short = cached(scriptedModel(() => usage(counted)));
    for (let i = 0; i < 9; i++) await ask(short.model, { system: "short" });
    const rare = cached(scriptedModel(() => usage(counted)));
    for (let i = 0; i < 9; i++) {
      await ask(rare.model);
      await rare.clock.advance(300_000);
    }
    expect([...hit.warnings, ...short.warnings, ...rare.warnings]).toEqual([]);
  });

  it("a reader that leaves early leaves the call", async () => {
    const { model, inner } = cached(scriptedModel([[{ say: "a" }, { hang: true }]]));
    for await (const _ of model.stream(request(), { signal: new AbortController().signal })) break;
    expect(inner.calls).toHaveLength(1);
  });
});
