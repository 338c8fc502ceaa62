import type { JsonObject } from "../json/index.ts";

/** Where changes are told. */
export interface EventBus {
  /**
   * Tells a change, after its commit. Never fails, never waits, and keeps nothing while nobody has ever listened.
   *
   * `topic` is words joined by dots (`session.changed`), `data` says what to read again; 64 Ki characters at most, else
   * `{truncated: true}`. The operator sees it without secrets (S5). Of `activity.*` and `inbox.*` everyone sees
   * the members `id`, `origin`, `priority` and `state` (S3), and of the rest nothing.
   */
  publish(topic: string, data: JsonObject): void;
}
