import { defineFeature } from "../feature/index.ts";
import { type WebhookOptions, Webhooks } from "./webhooks.ts";

/** Milliseconds of a shutdown that POSTs in progress may take. */
const GRACE_MS = 2_000;

/** Webhooks of tasks: who registered for what, and the POSTs that are due (W1, W2). */
export function webhooks(options: WebhookOptions) {
  return defineFeature({
    name: "webhooks",
    topics: ["webhook.failed", "webhook.recovered"],
    open: ({ db, journal, clock, bus, log }) =>
      new Webhooks(options, { db, journal, clock: options.clock ?? clock, bus, log }),
    recover: (webhooks) => webhooks.resume(),
    async forgetTasks(webhooks, tasks) {
      for (const task of tasks) for (const config of await webhooks.list(task)) await webhooks.remove(config);
    },
    sweep: (webhooks) => webhooks.sweep(),
    drain: (webhooks, graceMs) => webhooks.stop(Math.min(graceMs, GRACE_MS)),
  });
}
