import { createRegistry, type Registry } from "./registry.ts";

/** One finished call of a model, from agent-core's events. */
export interface ModelCallMeasure {
  readonly model: string;
  /** Why the model stopped: `stop`, `tool_calls`, `length`, `error`… */
  readonly finish: string;
  readonly ms: number;
  /** Tokens; absent where the provider reported none. */
  readonly usage?:
    | {
        readonly input?: number | undefined;
        readonly output?: number | undefined;
        readonly cacheRead?: number | undefined;
        readonly cacheWrite?: number | undefined;
      }
    | undefined;
  /** US dollars, when the model's price is known. */
  readonly costUsd?: number | undefined;
}

/** The service's metrics: functions that count what happened, and the exposition text. */
export interface Metrics {
  modelCall(measure: ModelCallMeasure): void;
  toolCall(measure: { readonly name: string; readonly ok: boolean; readonly ms: number }): void;
  /** A task reached a state that ends its turn: `completed`, `failed`, `canceled`, `input-required`. */
  turn(measure: { readonly state: string; readonly ms: number }): void;
  /** Tool schemas withheld from a model call. */
  toolsDeferred(count: number): void;
  compaction(): void;
  overflowRecovery(): void;
  toolResultsPruned(count: number): void;
  bootPhase(measure: { readonly phase: string; readonly ms: number }): void;
  /** For features with metrics of their own; names get the prefix from `metricName`. */
  readonly registry: Registry;
  /** `<prefix>_<name>`. */
  metricName(name: string): string;
  render(): string;
}

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** The prefix of every metric of an agent: its name, lower case, anything but letters and digits as `_`. */
export function metricPrefix(agentName: string): string {
  const prefix = agentName.toLowerCase().replace(/[^a-z0-9]/g, "_");
  return /^[0-9]/.test(prefix) || prefix === "" ? `_${prefix}` : prefix;
}

/** The metrics of an agent named `agentName` (`AGENT_NAME`, B73). */
export function createMetrics(agentName: string): Metrics {
  const registry = createRegistry();
  const metricName = (name: string): string => `${metricPrefix(agentName)}_${name}`;
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    registry.counter({ name: metricName(name), help, labels });
  const histogram = (name: string, help: string, labels: readonly string[]) =>
    registry.histogram({ name: metricName(name), help, labels, buckets: seconds });

  const calls = counter("llm_calls_total", "Model calls.", ["model", "finish_reason"]);
  const tokens = counter("llm_tokens_total", "Tokens read (input) and written (output).", ["model", "direction"]);
  const cached = counter("llm_cache_tokens_total", "Tokens read from and written to the provider's prompt cache.", [
    "model",
    "kind",
  ]);
  const cost = counter("llm_cost_usd_total", "Cost of model calls whose price is known, in US dollars.", ["model"]);
  const latency = histogram("llm_latency_seconds", "Duration of model calls.", ["model"]);
  const deferred = counter("llm_tools_deferred_total", "Tool schemas withheld from model calls.");
  const compactions = counter("compactions_total", "Conversations compacted.");
  const recoveries = counter("overflow_recoveries_total", "Context overflows recovered from.");
  const pruned = counter("tool_results_pruned_total", "Tool results shortened to save context.");
  const toolCalls = counter("tool_calls_total", "Tool calls.", ["tool_name", "success"]);
  const toolLatency = histogram("tool_latency_seconds", "Duration of tool calls.", ["tool_name"]);
  const turns = counter("a2a_turns_total", "Turns by the state they ended in.", ["state"]);
  const turnLatency = histogram("a2a_turn_seconds", "Duration of turns.", ["state"]);
  const boot = histogram("boot_phase_seconds", "Duration of the phases of a start.", ["phase"]);
  return {
    modelCall({ model, finish, ms, usage, costUsd }) {
      calls.add({ model, finish_reason: finish });
      latency.observe(ms / 1_000, { model });
      tokens.add({ model, direction: "input" }, usage?.input ?? 0);
      tokens.add({ model, direction: "output" }, usage?.output ?? 0);
      cached.add({ model, kind: "read" }, usage?.cacheRead ?? 0);
      cached.add({ model, kind: "write" }, usage?.cacheWrite ?? 0);
      cost.add({ model }, costUsd ?? 0);
    },
    toolCall({ name, ok, ms }) {
      toolCalls.add({ tool_name: name, success: String(ok) });
      toolLatency.observe(ms / 1_000, { tool_name: name });
    },
    turn({ state, ms }) {
      turns.add({ state });
      turnLatency.observe(ms / 1_000, { state });
    },
    toolsDeferred: (count) => deferred.add({}, count),
    compaction: () => compactions.add(),
    overflowRecovery: () => recoveries.add(),
    toolResultsPruned: (count) => pruned.add({}, count),
    bootPhase: ({ phase, ms }) => boot.observe(ms / 1_000, { phase }),
    registry,
    metricName,
    render: () => registry.render(),
  };
}
