import type { JsonObject } from "../json/index.ts";

/** Publishes changes to whoever subscribes now; what must survive is in the journal. */
export interface EventBus {
  /**
   * Publishes a change, after its commit. Never fails, never waits, and keeps nothing before the first subscription.
   *
   * `topic` is names joined by dots (`session.changed`), `data` names what to read again; 64 Ki characters at most, else
   * `{truncated: true}`. The operator sees it without secrets (S5). Of `activity.*` and `inbox.*` everyone sees
   * the members `id`, `origin`, `priority` and `state` (S3), and of the rest nothing.
   */
  publish(topic: string, data: JsonObject): void;
}
