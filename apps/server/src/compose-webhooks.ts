/** Webhooks, from settings: whom they may reach, how they are written, what is counted and said of them (rulings W1 to W3). */
import {
  type Clock,
  createEgress,
  type EventBus,
  type PushConfig,
  type WebhookOptions,
} from "@agent-service/agent-core";
import { webhookPosts } from "./a2a/index.ts";
import type { Logging } from "./logging/index.ts";
import type { Metrics } from "./metrics/index.ts";
import type { WebhookWatch } from "./operator/index.ts";
import { derive, type ServerSettings } from "./sections/index.ts";

/** Composes them. */
export function composeWebhooks(
  settings: Pick<ServerSettings, "environment" | "egress">,
  parts: {
    readonly metrics: Metrics;
    readonly logging: Logging;
    readonly clock?: Clock | undefined;
    readonly bus: EventBus;
    readonly watch: WebhookWatch;
  },
): WebhookOptions {
  const { metrics, logging, clock, bus, watch } = parts;
  const guard = derive(
    () => [settings.environment, settings.egress],
    ({ webhookHosts, webhookCidrs }, { allowed_hosts }) =>
      createEgress({ allowedHosts: [...webhookHosts, ...allowed_hosts], allowedCidrs: webhookCidrs }),
  );
  const posts = metrics.registry.counter({
    name: metrics.metricName("webhook_posts_total"),
    help: "Webhook POSTs by what became of them.",
    labels: ["outcome"],
  });
  return {
    egress: guard,
    render: webhookPosts,
    ...(clock && { clock }),
    onOutcome(config, outcome, reason) {
      posts.add({ outcome });
      if (outcome === "delivered" && watch.failing().length > 0) {
        const { host } = placeOf(config);
        if (watch.arrived(host)) bus.publish("webhook.recovered", { host });
      }
      if (outcome !== "failed") return;
      const { task, config: id, host } = placeOf(config);
      watch.failed(host);
      logging.logger.warn({ task, config: id, host }, `a webhook was given up: ${reason ?? "unknown"}`);
      bus.publish("webhook.failed", { task_id: task, config_id: id, host });
    },
  };
}

/** Of the address only the host: its path may be a secret. */
function placeOf({ task, id, url }: PushConfig): {
  readonly task: string;
  readonly config: string;
  readonly host: string;
} {
  return { task, config: id, host: URL.parse(url)?.host ?? "" };
}
