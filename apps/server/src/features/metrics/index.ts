import { defineFeature, featureKey, type TurnLoad, type Webhooks } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { feedMetrics } from "../../surfaces/metrics/index.ts";

const webhooks = featureKey<"webhooks", Webhooks>("webhooks");

/** The engine's part of `/metrics`: its commits, and its current load. */
export const metrics = defineServiceFeature({
  engine: ({ metrics }) =>
    defineFeature({
      name: "metrics",
      needs: [webhooks],
      open({ service }, { needs }) {
        const gauge = (name: string, help: string, read: () => number): void =>
          metrics.registry.observed({ name: metrics.metricName(name), help, type: "gauge" }, read);
        const turns = (name: string, help: string, read: (load: TurnLoad) => number): void =>
          gauge(`turns_${name}`, help, () => read(service.runner.queue.load()));
        gauge("active_sessions", "Sessions with a running turn.", () => service.runner.queue.running);
        turns("running", "Turns begun and not over.", ({ running }) => running);
        turns("working", "Turns that run and do not just wait for their model.", ({ working }) => working);
        turns("waiting", "Turns that have not begun.", ({ waiting }) => waiting);
        turns("oldest_wait_seconds", "How long the first of the turns that have not begun waits.", (load) => {
          return load.oldestWaitMs / 1_000;
        });
        gauge("open_webhooks", "Webhooks whose task's end was not delivered yet.", () => needs.webhooks.load().open);
      },
      onCommit: (_, _view, events) => feedMetrics(metrics, events),
    }),
});
