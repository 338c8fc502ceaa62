import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../../test/values/text.ts";
import { createMetrics, metricPrefix } from "./create-metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { createRegistry, MetricNameError } from "./registry.ts";

/** Reads the text format as a scraper does: every line must be a comment or `name{labels} value`. */
function scrape(text: string): Map<string, number> {
  const values = new Map<string, number>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.split("\n").slice(0, -1)) {
    if (/^# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* /.test(line)) continue;
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)*\})?) (\S+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    expect(values.has(sample![1]!), `${line} is listed twice`).toBe(false);
    values.set(sample![1]!, Number(sample![2]));
  }
  return values;
}

describe("the metrics of the service", () => {
  it("start with the agent's name, whatever it is (AGENT_NAME, B73)", () => {
    expect(metricPrefix("protoagent")).toBe("protoagent");
    expect(metricPrefix("My Agent-2")).toBe("my_agent_2");
    expect(metricPrefix("4ever")).toBe("_4ever");
    expect(metricPrefix("é")).toBe("_");
  });

  it("count model calls, tokens, cache tokens and cost by model", () => {
    const metrics = createMetrics("my-agent");
    const usage = { input: 10, output: 5, cacheRead: 7 };
    metrics.modelCall({ model: "m", finish: "stop", ms: 300, usage, costUsd: 0.5 });
    metrics.modelCall({ model: "m", finish: "error", ms: 30_000 });
    const values = scrape(metrics.render());
    expect(values.get('my_agent_llm_calls_total{model="m",finish_reason="stop"}')).toBe(1);
    expect(values.get('my_agent_llm_calls_total{model="m",finish_reason="error"}')).toBe(1);
    expect(values.get('my_agent_llm_tokens_total{model="m",direction="input"}')).toBe(10);
    expect(values.get('my_agent_llm_tokens_total{model="m",direction="output"}')).toBe(5);
    expect(values.get('my_agent_llm_cache_tokens_total{model="m",kind="read"}')).toBe(7);
    expect(values.has('my_agent_llm_cache_tokens_total{model="m",kind="write"}')).toBe(false);
    expect(values.get('my_agent_llm_cost_usd_total{model="m"}')).toBe(0.5);
    expect(values.get('my_agent_llm_latency_seconds_count{model="m"}')).toBe(2);
    expect(values.get('my_agent_llm_latency_seconds_sum{model="m"}')).toBe(30.3);
    expect(values.get('my_agent_llm_latency_seconds_bucket{model="m",le="0.25"}')).toBe(0);
    expect(values.get('my_agent_llm_latency_seconds_bucket{model="m",le="0.5"}')).toBe(1);
    expect(values.get('my_agent_llm_latency_seconds_bucket{model="m",le="30"}')).toBe(2);
    expect(values.get('my_agent_llm_latency_seconds_bucket{model="m",le="+Inf"}')).toBe(2);
  });

  it("count tool calls, turns and what the engine did for the context", () => {
    const metrics = createMetrics("a");
    metrics.toolCall({ name: "calculator", ok: true, ms: 1 });
    metrics.toolCall({ name: "calculator", ok: false, ms: 1 });
    metrics.turn({ state: "completed", ms: 20 });
    metrics.compaction();
    metrics.overflowRecovery();
    metrics.toolResultsPruned(4);
    metrics.toolsDeferred(2);
    metrics.bootPhase({ phase: "store", ms: 12 });
    const values = scrape(metrics.render());
    expect(values.get('a_tool_calls_total{tool_name="calculator",success="true"}')).toBe(1);
    expect(values.get('a_tool_calls_total{tool_name="calculator",success="false"}')).toBe(1);
    expect(values.get('a_tool_latency_seconds_count{tool_name="calculator"}')).toBe(2);
    expect(values.get('a_a2a_turns_total{state="completed"}')).toBe(1);
    expect(values.get('a_a2a_turn_seconds_sum{state="completed"}')).toBe(0.02);
    expect(values.get("a_compactions_total")).toBe(1);
    expect(values.get("a_overflow_recoveries_total")).toBe(1);
    expect(values.get("a_tool_results_pruned_total")).toBe(4);
    expect(values.get("a_llm_tools_deferred_total")).toBe(2);
    expect(values.get('a_boot_phase_seconds_count{phase="store"}')).toBe(1);
  });

  it("contain the process's memory, CPU and event loop", async () => {
    const registry = createRegistry();
    addProcessMetrics(registry);
    registry.render();
    const values = scrape(registry.render());
    expect(values.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(values.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(values.get("nodejs_eventloop_lag_max_seconds")).toBeGreaterThanOrEqual(0);
  });
});

describe("a registry", () => {
  it("writes what any label value means, and nothing but valid lines", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint }), { maxLength: 8 }), (labels) => {
        const registry = createRegistry();
        const counter = registry.counter({ name: "c_total", help: "a\nb\\", labels: ["l"] });
        for (const l of labels) counter.add({ l });
        const values = scrape(registry.render());
        expect([...values.values()].reduce((sum, value) => sum + value, 0)).toBe(labels.length);
      }),
    );
  });

  it("bounds the series of a metric: what is beyond shares one", () => {
    const registry = createRegistry(3);
    const counter = registry.counter({ name: "c_total", help: "c", labels: ["l"] });
    for (let i = 0; i < 100; i++) counter.add({ l: `v${i}` });
    counter.add({ l: "v0" });
    const values = scrape(registry.render());
    expect(Object.fromEntries(values)).toEqual({
      'c_total{l="v0"}': 2,
      'c_total{l="v1"}': 1,
      'c_total{l="v2"}': 1,
      'c_total{l="other"}': 97,
    });
  });

  it("never lets a counter go down, and ignores values that are no numbers", () => {
    const registry = createRegistry();
    const counter = registry.counter({ name: "c_total", help: "c" });
    for (const by of [2, -1, Number.NaN, Number.POSITIVE_INFINITY]) counter.add({}, by);
    registry.histogram({ name: "h", help: "h", buckets: [1] }).observe(Number.NaN);
    const values = scrape(registry.render());
    expect([...values]).toEqual([["c_total", 2]]);
  });

  it("refuses a name that is taken or that the format does not allow", () => {
    const registry = createRegistry();
    registry.gauge({ name: "g", help: "g" });
    expect(() => registry.counter({ name: "g", help: "g" })).toThrow(MetricNameError);
    expect(() => registry.counter({ name: "1g", help: "g" })).toThrow(MetricNameError);
  });
});
