import { webhooks as agentWebhooks, createEgress, type PushConfig } from "@agent-service/agent-core/host";
import { notedRefusal } from "../../logging/index.ts";
import { defineServiceFeature, type ServiceHost } from "../../service-feature/index.ts";
import { derive } from "../../settings/index.ts";
import { webhookPosts } from "../../surfaces/a2a/index.ts";

/** Egress, format, metrics and logging of webhooks (W1 to W3). */
function webhooksOf({ settings, metrics, logging, webhookClock, webhookSecrets }: ServiceHost) {
  const posts = metrics.registry.counter({
    name: metrics.metricName("webhook_posts_total"),
    help: "Webhook POSTs by their outcome.",
    labels: ["outcome"],
  });
  return agentWebhooks({
    egress: derive(
      () => [settings.environment, settings.egress],
      ({ webhookHosts, webhookCidrs }, { allowed_hosts }) =>
        createEgress({
          allowedHosts: [...webhookHosts, ...allowed_hosts],
          allowedCidrs: webhookCidrs,
          onRefused: notedRefusal(logging.debug, "webhooks"),
        }),
    ),
    render: webhookPosts,
    secrets: webhookSecrets,
    ...(webhookClock && { clock: webhookClock }),
    onOutcome({ task, id: config, url }: PushConfig, outcome, reason) {
      posts.add({ outcome });
      if (outcome !== "failed") return;
      // Of the address only the host: its path may be a secret.
      const host = URL.parse(url)?.host ?? "";
      logging.logger.warn({ task, config, host }, `a webhook was given up: ${reason ?? "unknown"}`);
    },
  });
}

export const webhooks = defineServiceFeature({ engine: webhooksOf, flags: () => ({ webhooks: true }) });
