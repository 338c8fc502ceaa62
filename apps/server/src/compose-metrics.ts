/** What `/metrics` tells of the service (document 1). */
import type { AgentCore, TurnLoad } from "@agent-service/agent-core";
import type { Doors } from "./http/index.ts";
import { addProcessMetrics, createMetrics, type Metrics } from "./metrics/index.ts";
import type { ServerSettings } from "./sections/index.ts";

/** The numbers of the service. `core`: the engine, once it runs. */
export function openMetrics(settings: ServerSettings, doors: Doors, core: () => AgentCore | undefined): Metrics {
  const activeSessions = () => core()?.load().running ?? 0;
  const metrics = createMetrics(settings.environment.agentName, { activeSessions });
  addProcessMetrics(metrics.registry);
  metrics.registry.observed(
    { name: metrics.metricName("open_streams"), help: "Event streams open now.", type: "gauge" },
    () => doors.streams.open,
  );
  const turns = (name: string, help: string, read: (load: TurnLoad) => number): void =>
    metrics.registry.observed({ name: metrics.metricName(`turns_${name}`), help, type: "gauge" }, () => {
      const load = core()?.service.runner.queue.load();
      return load === undefined ? 0 : read(load);
    });
  turns("running", "Turns begun and not over.", ({ running }) => running);
  turns("working", "Turns that run and do not just wait for their model.", ({ working }) => working);
  turns("waiting", "Turns that have not begun.", ({ waiting }) => waiting);
  turns(
    "oldest_wait_seconds",
    "How long the first of the turns that have not begun waits.",
    ({ oldestWaitMs }) => oldestWaitMs / 1_000,
  );
  metrics.registry.observed(
    { name: metrics.metricName("open_webhooks"), help: "Webhooks whose task's end was not told yet.", type: "gauge" },
    () => core()?.webhooks?.load().open ?? 0,
  );
  return metrics;
}
