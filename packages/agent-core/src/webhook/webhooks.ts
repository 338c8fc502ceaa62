/**
 * Webhooks of tasks (W1, W2, A16, A18): registrations and deliveries. The journal is the outbox: a row per config holds
 * its progress, so what a commit journals is queued by it, and nothing is queued twice.
 */

import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { ReleasingMap } from "../collection/index.ts";
import { type Database, isExpectationError, type Statement } from "../database/index.ts";
import type { Egress } from "../egress/index.ts";
import type { CommittedEvent } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import type { EngineLog } from "../log/index.ts";
import { PartyCount, partyOf } from "../share/index.ts";
import { Delivery, type DeliveryDeps, type DeliveryOutcome } from "./delivery.ts";
import { FailingHosts } from "./failing-hosts.ts";
import { FairSlots } from "./fair-slots.ts";
import { urgencyOf } from "./notified-events.ts";
import { noProgress, type PushConfig, type RenderWebhook, type StoredPushConfig } from "./push-config.ts";
import { type SendWebhook, TIMEOUT_MS } from "./running-post.ts";
import { WebhookError } from "./webhook-error.ts";
import { MAX_CONFIGS, WebhookStore } from "./webhook-store.ts";

/** POSTs in progress at a time, and those to one host. */
const SLOTS = { all: 64, perHost: 8 };
/** Configs of tasks whose end was not sent; each takes about 1 KiB of memory. */
const MAX_OPEN = 50_000;
/** Milliseconds a config is kept after its task's end was sent (B20). */
const KEEP_MS = 24 * 3_600_000;
/** Secrets given to the redactor: of the newest configs, so that the cost of a log line is bounded. */
const MAX_SECRETS = 256;
/** Shorter ones are not redacted: a registrant could otherwise mask common text in the log. */
const MIN_SECRET_CHARS = 12;

export interface WebhookOptions {
  /** The guard of W3; asked for each use, so a changed allow-list counts at once. */
  readonly egress: () => Egress;
  readonly render: RenderWebhook;
  /** Default: the engine's. Its times are written down, so it survives restarts. */
  readonly clock?: Clock;
  /** For metrics. `reason` holds no secret and no address a name resolved to. */
  readonly onOutcome?: (config: PushConfig, outcome: DeliveryOutcome, reason?: string) => void;
  /** Gets tokens and credentials of webhooks, the newest 256, for the host's redactor (S5). */
  readonly secrets?: Set<string>;
}

export interface WebhookParts {
  readonly db: Database;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Gets `webhook.failed` and `webhook.recovered`. */
  readonly bus: EventBus;
  readonly log: Pick<EngineLog, "warn" | "debug">;
}

/** Keeps the push configs of one store and delivers events to their webhooks. */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #egress: () => Egress;
  readonly #store: WebhookStore;
  readonly #slots = new FairSlots(SLOTS);
  readonly #deps: DeliveryDeps;
  readonly #ofTask = new ReleasingMap<Delivery[]>();
  readonly #secrets: Set<string>;
  readonly #failing = new FailingHosts();
  readonly #unlisten: () => void;
  readonly #open = new PartyCount();
  #registered = 0;

  constructor(options: WebhookOptions, parts: WebhookParts) {
    this.#parts = parts;
    this.#secrets = options.secrets ?? new Set();
    this.#egress = options.egress;
    this.#store = new WebhookStore(parts.db, parts.journal.statements);
    this.#deps = {
      store: this.#store,
      clock: parts.clock,
      log: parts.log,
      slots: this.#slots,
      send: sendThrough(options.egress),
      render: options.render,
      onOutcome: (config, outcome, reason) => {
        options.onOutcome?.(config, outcome, reason);
        parts.log.debug?.({ task: config.task, outcome, reason }, "webhook POST decided");
        this.#noteOutcome(config, outcome);
      },
      onSettled: (delivery) => this.#drop(delivery),
    };
    this.#unlisten = parts.journal.onCommit((record, events) => this.#committed(record.view.id, events));
  }

  /** Configs of tasks whose end was not sent, running POSTs, and those that wait for a slot. */
  load(): { readonly open: number; readonly active: number; readonly waiting: number } {
    return { open: this.#open.all, active: this.#slots.active, waiting: this.#slots.waiting };
  }

  /** Hosts whose last webhook was given up, the newest last. */
  failingHosts(): readonly string[] {
    return this.#failing.list();
  }

  /**
   * Whether a config could be registered; `task` is absent for one that does not exist yet.
   * @throws EgressError when its URL is refused
   * @throws WebhookError too_many, overloaded
   */
  async check(config: Pick<PushConfig, "url" | "class" | "id"> & { readonly task?: string }): Promise<void> {
    this.#assertRoom(config.class);
    await this.#egress().check(config.url, { timeoutMs: TIMEOUT_MS });
    if (config.task === undefined) return;
    const known = (await this.list(config.task)).filter((one) => one.class === config.class);
    if (known.length >= MAX_CONFIGS && !known.some(({ id }) => id === config.id)) throw tooMany();
  }

  /**
   * A config that becomes durable with its task: the statement for the commit that creates it, and what to call once
   * that is durable. `check` comes first.
   */
  register(config: PushConfig): { readonly statement: Statement; watch(): void } {
    const stored = this.#stored(config);
    return { statement: this.#store.keep(stored), watch: () => this.#watch(stored, true) };
  }

  /**
   * Registers or replaces a config of a task that exists; durable when it resolves. The task's current state is sent at
   * once.
   * @throws EgressError, WebhookError as `check`
   */
  async set(config: PushConfig): Promise<void> {
    await this.check(config);
    const stored = this.#stored(config);
    try {
      await this.#store.add(stored);
    } catch (error) {
      if (isExpectationError(error)) throw tooMany();
      throw error;
    }
    this.#watch(stored);
  }

  /** Configs of a task, oldest first, whoever registered them: surfaces check the class (A16). */
  async list(task: string): Promise<readonly PushConfig[]> {
    const stored = await this.#store.ofTask(task, this.#parts.clock.now() - KEEP_MS);
    return stored.map(({ config }) => config);
  }

  /** Removes a config if it is there; nothing more is sent to it. */
  async remove(config: Pick<PushConfig, "task" | "class" | "id">): Promise<void> {
    await this.#store.remove(config);
    const delivery = this.#find(config);
    if (delivery === undefined) return;
    delivery.close();
    this.#drop(delivery);
  }

  /** Continues where a former process stopped. */
  async resume(): Promise<void> {
    for await (const page of this.#store.open()) for (const stored of page) this.#watch(stored);
  }

  /** Removes configs whose retention is over. */
  sweep(): Promise<void> {
    return this.#store.removeSettled(this.#parts.clock.now() - KEEP_MS);
  }

  /** Waits up to `graceMs` for running POSTs, then sends nothing more; the next process continues. */
  async stop(graceMs: number): Promise<void> {
    if (graceMs > 0) {
      const quiet = Promise.withResolvers<void>();
      const timer = this.#parts.clock.setTimeout(quiet.resolve, graceMs);
      this.#slots.whenIdle(quiet.resolve);
      await quiet.promise;
      timer.cancel();
    }
    this.#unlisten();
    for (const deliveries of this.#ofTask.values()) for (const delivery of deliveries) delivery.close();
  }

  #stored(config: PushConfig): StoredPushConfig {
    this.#registered = Math.max(this.#parts.clock.now(), this.#registered + 1);
    return { config, registered: this.#registered, progress: noProgress() };
  }

  #assertRoom(callerClass: string): void {
    if (!this.#open.free(partyOf(callerClass), MAX_OPEN))
      throw new WebhookError("overloaded", "too many webhooks wait for their tasks already");
  }

  #find({ task, class: callerClass, id }: Pick<PushConfig, "task" | "class" | "id">): Delivery | undefined {
    return this.#ofTask.get(task)?.find(({ config }) => config.class === callerClass && config.id === id);
  }

  #watch(stored: StoredPushConfig, opens = false): void {
    const { config } = stored;
    const before = this.#find(config);
    if (before !== undefined) {
      before.close();
      this.#drop(before);
    }
    this.#hide(config);
    const delivery = new Delivery(stored, this.#deps, opens);
    const others = this.#ofTask.get(config.task);
    if (others === undefined) this.#ofTask.set(config.task, [delivery]);
    else others.push(delivery);
    this.#open[partyOf(config.class)]++;
    delivery.wake();
  }

  #hide({ token, authentication }: PushConfig): void {
    for (const secret of [token, authentication?.credentials]) {
      if (secret === undefined || secret.length < MIN_SECRET_CHARS) continue;
      this.#secrets.delete(secret);
      this.#secrets.add(secret);
    }
    for (const oldest of this.#secrets) {
      if (this.#secrets.size <= MAX_SECRETS) return;
      this.#secrets.delete(oldest);
    }
  }

  #drop(delivery: Delivery): void {
    const { task } = delivery.config;
    const deliveries = this.#ofTask.get(task);
    const at = deliveries?.indexOf(delivery) ?? -1;
    if (deliveries === undefined || at < 0) return;
    this.#open[partyOf(delivery.config.class)]--;
    if (deliveries.length === 1) this.#ofTask.delete(task);
    else deliveries.splice(at, 1);
  }

  /** Runs in every commit of every task, so a task without webhooks costs one look. */
  #committed(task: string, events: readonly CommittedEvent[]): void {
    const deliveries = this.#open.all === 0 ? undefined : this.#ofTask.get(task);
    if (deliveries === undefined) return;
    let notified = 0;
    let urgent = 0;
    for (const { seq, event } of events) {
      const urgency = urgencyOf(event);
      if (urgency !== undefined) notified = seq;
      if (urgency === "now") urgent = seq;
    }
    if (notified > 0) for (const delivery of deliveries) delivery.committed(notified, urgent);
  }

  /** Of the address only the host is published: its path may be a secret. */
  #noteOutcome({ task, id, url }: PushConfig, outcome: DeliveryOutcome): void {
    const { bus } = this.#parts;
    const host = URL.parse(url)?.host ?? "";
    if (outcome === "delivered" && this.#failing.delivered(host)) bus.publish("webhook.recovered", { host });
    if (outcome !== "failed") return;
    this.#failing.failed(host);
    bus.publish("webhook.failed", { task_id: task, config_id: id, host });
  }
}

function tooMany(): WebhookError {
  return new WebhookError("too_many", `a task has at most ${MAX_CONFIGS} push notification configs`);
}

function sendThrough(egress: () => Egress): SendWebhook {
  return async (url, { headers, body, signal }) => {
    // The time limit is the delivery's own, by its clock; the guard's would come too early on a busy machine.
    const timeoutMs = 2 * TIMEOUT_MS;
    const answer = await egress().request(url, { method: "POST", headers, body, signal, timeoutMs, headOnly: true });
    return answer.status;
  };
}
