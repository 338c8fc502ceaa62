import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type LaneOptions, withLane } from "./lane.ts";
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

/** A lane over a model whose calls go on until they are let go, in the order they began. */
function gated(options: Partial<LaneOptions> = {}) {
  const clock = manualClock();
  const gates: PromiseWithResolvers<void>[] = [];
  const inner = scriptedModel((request) => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return [{ until: gate.promise }, { say: request.model }];
  });
  const model = withLane(inner, { maxInflight: 2, queueTimeoutMs: 1_000, reserve: 1, clock, ...options });
  return { clock, gates, inner, model, began: () => inner.calls.map((call) => call.request.model) };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("withLane (document 3 max_inflight)", () => {
  it("lets only so many through, and keeps the reserve for interactive callers", async () => {
    const { model, gates, began } = gated();
    const calls = [ask(model, "background", undefined, "b1"), ask(model, "background", undefined, "b2")];
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

  it("clamps the reserve so that background calls still get a slot", async () => {
    const { model, gates, began } = gated({ maxInflight: 1, reserve: 5 });
    const call = ask(model, "background", undefined, "b1");
    await settle();
    expect(began()).toEqual(["b1"]);
    gates[0]?.resolve();
    await call;
  });

  it("gives up waiting after its time, and the slot is not lost", async () => {
    const { model, gates, clock, began } = gated({ maxInflight: 1 });
    const first = ask(model, "background", undefined, "b1");
    const late = ask(model, "background", undefined, "b2");
    const refused = expect(late).rejects.toMatchObject({ code: "lane_timeout", retryable: false });
    await clock.advance(1_000);
    await refused;
    gates[0]?.resolve();
    await first;
    const third = ask(model, "background", undefined, "b3");
    await settle();
    expect(began()).toEqual(["b1", "b3"]);
    gates[1]?.resolve();
    expect(await third).toBe("b3");
    expect(clock.pending()).toBe(0);
  });

  it("leaves the queue when aborted, and frees its slot when aborted inside", async () => {
    const { model, clock, began } = gated({ maxInflight: 1 });
    const inside = new AbortController();
    const queued = new AbortController();
    const calls = [ask(model, "background", inside.signal, "b1"), ask(model, "background", queued.signal, "b2")];
    const outcomes = Promise.allSettled(calls);
    await settle();
    queued.abort("not any more");
    inside.abort("nor I");
    expect(await outcomes).toEqual([
      { status: "rejected", reason: "nor I" },
      { status: "rejected", reason: "not any more" },
    ]);
    expect(clock.pending()).toBe(0);
    void ask(model, "background", undefined, "b3");
    await settle();
    expect(began()).toEqual(["b1", "b3"]);
  });

  it("frees its slot when the call fails or its reader leaves", async () => {
    const inner = scriptedModel([[{ fail: new Error("no") }], [{ say: "x" }, { hang: true }], "fine"]);
    const model = withLane(inner, { maxInflight: 1, queueTimeoutMs: 1_000, reserve: 0, clock: manualClock() });
    await expect(ask(model, "background")).rejects.toThrow("no");
    const request: ModelRequest = { model: "m", messages: [], tools: [], settings: {} };
    for await (const event of model.stream(request, { signal: new AbortController().signal })) {
      expect(event.kind).toBe("text");
      break;
    }
    expect(await ask(model, "background")).toBe("fine");
  });

  it("is the model itself when it is off", () => {
    const inner = scriptedModel([]);
    expect(withLane(inner, { maxInflight: 0, queueTimeoutMs: 1, reserve: 1 })).toBe(inner);
  });

  it("never has more inside than it allows, whoever comes and goes", async () => {
    const caller = fc.record({
      priority: fc.constantFrom<ModelPriority>("interactive", "background"),
      abort: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(caller, { maxLength: 12 }), fc.nat(3), fc.nat(3), async (callers, more, reserve) => {
        const maxInflight = more + 1;
        let inside = 0;
        let background = 0;
        const inner: Model = {
          async *stream(_, { priority }) {
            inside += 1;
            if (priority === "background") background += 1;
            expect(inside).toBeLessThanOrEqual(maxInflight);
            expect(background).toBeLessThanOrEqual(maxInflight - Math.min(reserve, maxInflight - 1));
            await settle();
            inside -= 1;
            if (priority === "background") background -= 1;
            yield { kind: "finish", reason: "stop" };
          },
        };
        const model = withLane(inner, { maxInflight, queueTimeoutMs: 1_000, reserve, clock: manualClock() });
        const calls = callers.map(({ priority, abort }) => {
          const controller = new AbortController();
          const call = ask(model, priority, controller.signal);
          if (abort) controller.abort("gone");
          return call;
        });
        await Promise.allSettled(calls);
        expect(inside).toBe(0);
        expect(await ask(model, "background")).toBe("");
      }),
      { numRuns: 60 },
    );
  });
});
