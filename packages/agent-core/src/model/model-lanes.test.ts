import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { LaneSettings } from "./lane.ts";
import { createModelLanes } from "./model-lanes.ts";
import type { Model, ModelPriority, ModelRequest } from "./model-port.ts";

function ask(
  model: Model,
  priority: ModelPriority,
  signal = new AbortController().signal,
  name = "m",
): Promise<string> {
  const request: ModelRequest = { model: name, messages: [], tools: [], settings: {} };
  return (async () => {
    let text = "";
    for await (const event of model.stream(request, { signal, priority }))
      if (event.kind === "text") text += event.text;
    return text;
  })();
}

/** A lane over a model whose calls run until they are released, in the order they began. */
function gated(options: Partial<LaneSettings> = {}) {
  const clock = manualClock();
  const settings = { maxInflight: 2, queueTimeoutMs: 1_000, reserve: 1, ...options };
  const lanes = createModelLanes({ settings: () => settings, clock });
  const gates: PromiseWithResolvers<void>[] = [];
  const inner = scriptedModel((request) => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return [{ until: gate.promise }, { say: request.model }];
  });
  const model = lanes.wrap("gw", inner);
  const lane = () => lanes.snapshot().lanes[0];
  return {
    clock,
    gates,
    inner,
    lanes,
    lane,
    model,
    settings,
    began: () => inner.calls.map((call) => call.request.model),
  };
}

function laned(inner: Model, settings: LaneSettings): Model {
  return createModelLanes({ settings: () => settings, clock: manualClock() }).wrap("gw", inner);
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("createModelLanes (B52 max_inflight)", () => {
  it("lets only so many through, and keeps the reserve for interactive callers", async () => {
    const { model, gates, began } = gated();
    const calls = [ask(model, "default", undefined, "b1"), ask(model, "default", undefined, "b2")];
    calls.push(ask(model, "interactive", undefined, "i1"), ask(model, "interactive", undefined, "i2"));
    await settle();
    expect(began()).toEqual(["b1", "i1"]);
    gates[0]?.resolve();
    await settle();
    expect(began()).toEqual(["b1", "i1", "i2"]);
    gates[1]?.resolve();
    gates[2]?.resolve();
    await settle();
    expect(began()).toEqual(["b1", "i1", "i2", "b2"]);
    gates[3]?.resolve();
    expect(await Promise.all(calls)).toEqual(["b1", "b2", "i1", "i2"]);
  });

  it("clamps the reserve so that other calls still get a slot", async () => {
    const { model, gates, began } = gated({ maxInflight: 1, reserve: 5 });
    const call = ask(model, "default", undefined, "b1");
    await settle();
    expect(began()).toEqual(["b1"]);
    gates[0]?.resolve();
    await call;
  });

  it("gives up waiting after its time, and the slot is not lost", async () => {
    const { model, gates, clock, began } = gated({ maxInflight: 1 });
    const first = ask(model, "default", undefined, "b1");
    const late = ask(model, "default", undefined, "b2");
    const refused = expect(late).rejects.toMatchObject({ code: "lane_timeout", retryable: false });
    await clock.advance(1_000);
    await refused;
    gates[0]?.resolve();
    await first;
    const third = ask(model, "default", undefined, "b3");
    await settle();
    expect(began()).toEqual(["b1", "b3"]);
    gates[1]?.resolve();
    expect(await third).toBe("b3");
    expect(clock.nextAt()).toBeUndefined();
  });

  it("leaves the queue when aborted, and frees its slot when aborted inside", async () => {
    const { model, clock, began } = gated({ maxInflight: 1 });
    const inside = new AbortController();
    const queued = new AbortController();
    const calls = [ask(model, "default", inside.signal, "b1"), ask(model, "default", queued.signal, "b2")];
    const outcomes = Promise.allSettled(calls);
    await settle();
    queued.abort("not any more");
    inside.abort("nor I");
    expect(await outcomes).toEqual([
      { status: "rejected", reason: "nor I" },
      { status: "rejected", reason: "not any more" },
    ]);
    expect(clock.nextAt()).toBeUndefined();
    void ask(model, "default", undefined, "b3");
    await settle();
    expect(began()).toEqual(["b1", "b3"]);
  });

  it("frees its slot when the call fails or its reader leaves", async () => {
    const inner = scriptedModel([[{ fail: new Error("no") }], [{ say: "x" }, { hang: true }], "fine"]);
    const model = laned(inner, { maxInflight: 1, queueTimeoutMs: 1_000, reserve: 0 });
    await expect(ask(model, "default")).rejects.toThrow("no");
    const request: ModelRequest = { model: "m", messages: [], tools: [], settings: {} };
    for await (const event of model.stream(request, { signal: new AbortController().signal })) {
      expect(event.kind).toBe("text");
      break;
    }
    expect(await ask(model, "default")).toBe("fine");
  });

  it("is the model itself when it is off", () => {
    const inner = scriptedModel([]);
    expect(laned(inner, { maxInflight: 0, queueTimeoutMs: 1, reserve: 1 })).toBe(inner);
  });

  it("lets a lower priority through after it was passed over often enough", async () => {
    const { model, gates, began } = gated({ maxInflight: 1, reserve: 0 });
    const calls = [ask(model, "interactive", undefined, "i0"), ask(model, "bulk", undefined, "k")];
    calls.push(ask(model, "default", undefined, "d"));
    for (let at = 1; at <= 20; at++) calls.push(ask(model, "interactive", undefined, `i${at}`));
    await settle();
    for (let at = 0; at < calls.length; at++) {
      gates[at]?.resolve();
      await settle();
    }
    await Promise.all(calls);
    expect(began().indexOf("d")).toBe(5);
    expect(began().indexOf("k")).toBe(17);
  });

  it("gives the slot on when the reader left while it waited", async () => {
    const { model, gates, began } = gated({ maxInflight: 1 });
    const first = ask(model, "default", undefined, "b1");
    const request: ModelRequest = { model: "left", messages: [], tools: [], settings: {} };
    const left = model.stream(request, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    const next = left.next();
    await left.return?.();
    const last = ask(model, "default", undefined, "b3");
    await settle();
    gates[0]?.resolve();
    expect(await next).toEqual({ done: true, value: undefined });
    await settle();
    expect(began()).toEqual(["b1", "b3"]);
    gates[1]?.resolve();
    await Promise.all([first, last]);
  });

  it("uses a wider limit at once, and keeps counting across wrappers of one lane", async () => {
    const { model, lanes, inner, gates, settings, began } = gated({ maxInflight: 1, reserve: 0 });
    const calls = [ask(model, "default", undefined, "b1"), ask(model, "default", undefined, "b2")];
    calls.push(ask(lanes.wrap("gw", inner), "default", undefined, "b3"));
    await settle();
    expect(began()).toEqual(["b1"]);
    settings.maxInflight = 3;
    lanes.settingsChanged();
    await settle();
    expect(began()).toEqual(["b1", "b2", "b3"]);
    for (const gate of gates) gate.resolve();
    await Promise.all(calls);
  });
});

describe("the snapshot", () => {
  it("is off and empty while there is no limit", () => {
    const lanes = createModelLanes({
      settings: () => ({ maxInflight: 0, queueTimeoutMs: 1, reserve: 1 }),
      clock: manualClock(7),
    });
    lanes.wrap("gw", scriptedModel([]));
    expect(lanes.snapshot()).toEqual({ enabled: false, generatedAt: 7, lanes: [] });
  });

  it("reports running and waiting calls, wait times and timeouts, within its window", async () => {
    const { model, gates, clock, lane } = gated({ maxInflight: 2, reserve: 9 });
    const first = [ask(model, "default"), ask(model, "interactive")];
    await settle();
    expect(lane()).toEqual({
      lane: "gw",
      limit: 2,
      reserve: 1,
      inflight: 2,
      queued: 0,
      queuedByPriority: { interactive: 0, default: 0, bulk: 0 },
      oldestWaitMs: 0,
      waitP50Ms: 0,
      waitP90Ms: 0,
      queueTimeouts: 0,
      saturated: false,
    });
    const late = ask(model, "bulk");
    const refused = expect(late).rejects.toMatchObject({ code: "lane_timeout" });
    await clock.advance(600);
    const second = [ask(model, "default"), ask(model, "interactive"), ask(model, "bulk")];
    await clock.advance(100);
    expect(lane()).toMatchObject({
      queued: 4,
      queuedByPriority: { interactive: 1, default: 1, bulk: 2 },
      oldestWaitMs: 700,
    });
    await clock.advance(300);
    await refused;
    gates[0]?.resolve();
    gates[1]?.resolve();
    await settle();
    gates[2]?.resolve();
    gates[3]?.resolve();
    await settle();
    gates[4]?.resolve();
    await Promise.all([...first, ...second]);
    expect(lane()).toMatchObject({
      inflight: 0,
      queued: 0,
      waitP50Ms: 400,
      waitP90Ms: 400,
      queueTimeouts: 1,
      saturated: false,
    });
    await clock.advance(300_000);
    expect(lane()).toMatchObject({ waitP50Ms: null, waitP90Ms: null, queueTimeouts: 0 });
  });
});

it("a lane is saturated once its queue was not empty for 60 s (B46)", async ({ task }) => {
  const { model, gates, clock, lane } = gated({ maxInflight: 1, reserve: 0, queueTimeoutMs: 300_000 });
  const asked = [ask(model, "default"), ask(model, "default")];
  const began = clock.now();
  await clock.advance(40_000);
  asked.push(ask(model, "default"));
  gates[0]?.resolve();
  await clock.advance(19_999);
  expect(lane()).toMatchObject({ queued: 1, saturated: false });
  await clock.advance(1);
  expect(lane()).toMatchObject({ queued: 1, saturated: true });
  const found = (clock.now() - began) / 1_000;
  task.meta.bounds = [{ what: "a lane's queue before the lane counts as saturated", found, least: 60, unit: "s" }];
  gates[1]?.resolve();
  await settle();
  expect(lane()).toMatchObject({ inflight: 1, queued: 0, saturated: false });
  asked.push(ask(model, "default"));
  await clock.advance(59_999);
  expect(lane()).toMatchObject({ queued: 1, saturated: false });
  gates[2]?.resolve();
  await settle();
  gates[3]?.resolve();
  await Promise.all(asked);
});

describe("whoever comes and goes, in any order", () => {
  type Step =
    | { readonly do: "come"; readonly priority: ModelPriority }
    | { readonly do: "end" | "abort"; readonly at: number }
    | { readonly do: "pass"; readonly ms: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("come" as const),
        priority: fc.constantFrom<ModelPriority>("interactive", "default", "bulk"),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), at: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("abort" as const), at: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.nat(600) }) },
  );

  interface Caller {
    readonly priority: ModelPriority;
    readonly abort: AbortController;
    /** Set once the call is inside. */
    gate?: PromiseWithResolvers<void>;
    over: boolean;
  }

  it("holds every invariant of the lane", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(5),
        async (steps, maxInflight, reserve) => {
          const clock = manualClock();
          const open = maxInflight - Math.min(reserve, maxInflight - 1);
          const callers: Caller[] = [];
          const lanes = createModelLanes({
            settings: () => ({ maxInflight, queueTimeoutMs: 1_000, reserve }),
            clock,
          });
          const inside = () => callers.filter((caller) => caller.gate !== undefined && !caller.over);
          const waiting = () => callers.filter((caller) => caller.gate === undefined && !caller.over);
          const model = lanes.wrap("gw", {
            async *stream(request, { signal }) {
              const caller = callers[Number(request.model)]!;
              // 5: no call of the same priority came before and still waits.
              const earlier = callers.slice(0, Number(request.model)).filter((other) => waiting().includes(other));
              expect(earlier.filter((other) => other.priority === caller.priority)).toEqual([]);
              caller.gate = Promise.withResolvers<void>();
              const gone = new Promise<never>((_, reject) =>
                signal.addEventListener("abort", () => reject(signal.reason)),
              );
              await Promise.race([caller.gate.promise, gone]);
              yield { kind: "finish", reason: "stop" };
            },
          });
          const ended: Promise<unknown>[] = [];
          const run = async (next: Step): Promise<void> => {
            if (next.do === "come") {
              const caller: Caller = { priority: next.priority, abort: new AbortController(), over: false };
              const name = String(callers.push(caller) - 1);
              const call = ask(model, caller.priority, caller.abort.signal, name).finally(() => (caller.over = true));
              ended.push(call.catch((error: unknown) => error));
            } else if (next.do === "pass") await clock.advance(next.ms);
            else {
              const among = next.do === "end" ? inside() : callers.filter(({ over }) => !over);
              const caller = among[next.at % Math.max(1, among.length)];
              if (next.do === "abort") caller?.abort.abort("gone");
              else caller?.gate?.resolve();
            }
            await settle();
            // 6: whoever gave up is removed at once.
            for (const { abort, over } of callers) if (abort.signal.aborted) expect(over).toBe(true);
          };
          const check = (): void => {
            const others = inside().filter(({ priority }) => priority !== "interactive").length;
            expect(inside().length).toBeLessThanOrEqual(maxInflight);
            expect(others).toBeLessThanOrEqual(open);
            // 3: whoever waits could not have entered.
            for (const { priority } of waiting())
              expect(inside().length === maxInflight || (priority !== "interactive" && others >= open)).toBe(true);
            expect(lanes.snapshot().lanes[0] ?? { inflight: 0, queued: 0 }).toMatchObject({
              inflight: inside().length,
              queued: waiting().length,
            });
          };
          for (const next of steps) {
            await run(next);
            check();
          }
          // No starvation: without aborts and timeouts every waiting call starts.
          while (inside().length > 0) {
            await run({ do: "end", at: 0 });
            check();
          }
          expect(waiting()).toEqual([]);
          await Promise.all(ended);
          expect(clock.nextAt()).toBeUndefined();
        },
      ),
      { numRuns: 80 },
    );
  });
});
