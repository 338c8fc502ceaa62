import { describe, expect, it } from "vitest";
import { errorReply, textReply } from "../testing/gateway-replies.ts";
import { localGateway } from "../testing/local-gateway.ts";
import { type ManualClock, manualClock } from "../testing/manual-clock.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import { compatGateway } from "./compat-gateway/index.ts";
import { ModelError, type ModelErrorCode } from "./model-error.ts";
import type { ModelCallOptions, ModelEvent, ModelRequest } from "./model-port.ts";
import { type RetryOptions, withRetry } from "./retry.ts";

const REQUEST: ModelRequest = { model: "m", messages: [], tools: [], settings: {} };

interface Outcome {
  readonly events: ModelEvent[];
  readonly waits: number[];
  readonly error?: unknown;
}

function refusal(code: ModelErrorCode, retryAfterMs?: number): ScriptedTurn {
  return [{ fail: new ModelError(code, code, retryAfterMs === undefined ? {} : { retryAfterMs }) }];
}

/** Runs a call to its end, turning the clock whenever it waits. */
async function run(
  turns: readonly ScriptedTurn[],
  options: Partial<RetryOptions> = {},
): Promise<Outcome & { calls: number }> {
  const clock = manualClock();
  const inner = scriptedModel(turns, { clock });
  const model = withRetry(inner, { maxRetries: 2, clock, random: () => 1, ...options });
  const waits: number[] = [];
  const events: ModelEvent[] = [];
  const call = (async (): Promise<Outcome> => {
    try {
      for await (const event of model.stream(REQUEST, callOptions(waits, clock))) events.push(event);
      return { events, waits };
    } catch (error) {
      return { events, waits, error };
    }
  })();
  let over = false;
  void call.then(() => (over = true));
  while (!over) await clock.advance(1_000);
  return { ...(await call), calls: inner.calls.length };
}

function callOptions(waits: number[], clock: ManualClock): ModelCallOptions {
  return {
    signal: new AbortController().signal,
    onRetry: ({ attempt, waitMs, error }) => {
      expect(attempt).toBe(waits.length + 1);
      expect(error).toBeInstanceOf(ModelError);
      expect(clock.nextAt()).toBeUndefined();
      waits.push(waitMs);
    },
  };
}

describe("withRetry (R6)", () => {
  it.each(["rate_limited", "upstream", "network", "timeout"] as const)(
    "repeats a call that failed with %s",
    async (code) => {
      const { events, waits, calls } = await run([refusal(code), refusal(code), "fine"]);
      expect(events).toEqual([
        { kind: "text", text: "fine" },
        { kind: "finish", reason: "stop" },
      ]);
      expect(waits).toEqual([500, 1_000]);
      expect(calls).toBe(3);
    },
  );

  it.each([
    "unauthorized",
    "unknown_model",
    "bad_request",
    "bad_response",
    "context_overflow",
    "lane_timeout",
  ] as const)("does not repeat one that failed with %s", async (code) => {
    expect(await run([refusal(code), "never"])).toMatchObject({ error: { code }, calls: 1, waits: [] });
  });

  it("gives up after its retries, with the last failure", async () => {
    const outcome = await run([refusal("upstream"), refusal("upstream"), refusal("rate_limited")]);
    expect(outcome).toMatchObject({ error: { code: "rate_limited" }, calls: 3 });
  });

  it("never repeats once text, reasoning or a call was handed out", async () => {
    for (const first of [{ say: "x" }, { think: "x" }, { call: { name: "x" } }]) {
      const outcome = await run([[first, { fail: new ModelError("network", "cut") }], "never"]);
      expect(outcome).toMatchObject({ error: { code: "network" }, calls: 1 });
      expect(outcome.events).toHaveLength(1);
    }
  });

  it("waits at least as long as Retry-After asks, up to its bound", async () => {
    expect((await run([refusal("rate_limited", 9_000), "fine"])).waits).toEqual([9_000]);
    expect((await run([refusal("rate_limited", 10), "fine"])).waits).toEqual([500]);
    expect((await run([refusal("upstream", 3_600_000), "fine"])).waits).toEqual([60_000]);
  });

  it("spreads its waits by jitter and bounds them", async () => {
    expect((await run([refusal("upstream"), "fine"], { random: () => 0 })).waits).toEqual([250]);
    const many = await run([...Array.from({ length: 8 }, () => refusal("upstream")), "fine"], { maxRetries: 8 });
    expect(many.waits.at(-1)).toBe(30_000);
  });

  it("stops waiting when it is aborted", async () => {
    const clock = manualClock();
    const inner = scriptedModel([refusal("upstream"), "never"]);
    const model = withRetry(inner, { maxRetries: 2, clock });
    const abort = new AbortController();
    const next = model.stream(REQUEST, { signal: abort.signal })[Symbol.asyncIterator]().next();
    await clock.untilPending();
    abort.abort("enough");
    await expect(next).rejects.toBe("enough");
    expect(clock.nextAt()).toBeUndefined();
    expect(inner.calls).toHaveLength(1);
  });

  it("does not take an abort for a failure to repeat", async () => {
    const model = withRetry(scriptedModel([[{ hang: true }]]), { maxRetries: 2 });
    const abort = new AbortController();
    const next = model.stream(REQUEST, { signal: abort.signal })[Symbol.asyncIterator]().next();
    abort.abort(new ModelError("network", "even this"));
    await expect(next).rejects.toMatchObject({ message: "even this" });
  });

  it("is the model itself when there are no retries", () => {
    const inner = scriptedModel([]);
    expect(withRetry(inner, { maxRetries: 0 })).toBe(inner);
  });

  it("gets an answer from a gateway that refused twice", async () => {
    const server = await localGateway((_, count) =>
      count < 3 ? errorReply(429, "wait", { "retry-after": "2" }) : textReply("fine"),
    );
    const clock = manualClock();
    const gateway = compatGateway({ baseUrl: server.baseUrl });
    const model = withRetry(gateway, { maxRetries: 2, clock });
    const first = model.stream(REQUEST, { signal: new AbortController().signal })[Symbol.asyncIterator]().next();
    for (let at = 0; at < 2; at++) {
      await clock.untilPending();
      await clock.advance(2_000);
    }
    expect(await first).toEqual({ done: false, value: { kind: "text", text: "fine" } });
    expect(server.requests).toHaveLength(3);
    await server.close();
    await gateway.close();
  });
});
