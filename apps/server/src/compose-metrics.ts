/** What `/metrics` tells of the service (document 1). */
import type { AgentCore } from "@agent-service/agent-core";
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
  metrics.registry.observed(
    { name: metrics.metricName("open_webhooks"), help: "Webhooks whose task's end was not told yet.", type: "gauge" },
    () => core()?.webhooks?.load().open ?? 0,
  );
  return metrics;
}
