/**
 * Notifies one webhook of its task's events (W1, W2). Events are not kept here: they are read from the journal for each
 * POST.
 *
 * Invariants
 *  WH1  One POST at a time. An event is sent only after the progress of the one before it is stored, so no crash reverses
 *       the order; a POST that is repeated after a crash has the same id.
 *  WH2  An event that ends or parks the task is sent before anything newer that does neither, and instead of anything
 *       older. Of other events only the newest is sent; but a webhook registered with its task is sent its first event.
 *  WH3  A POST that fails is retried after 1, 3 and 9 s, with the same id. After that its event is given up.
 */

import { type Clock, sleep, type Timer } from "../clock/index.ts";
import { isStoreGone } from "../database/index.ts";
import type { CommittedEvent } from "../event/index.ts";
import { type EngineLog, stackOf } from "../log/index.ts";
import type { FairSlots, SlotTaker } from "./fair-slots.ts";
import { endsNotifications } from "./notified-events.ts";
import { PendingEvents } from "./pending-events.ts";
import type { PostOutcome } from "./post-outcome.ts";
import type {
  DeliveryProgress,
  PushConfig,
  RenderWebhook,
  StoredPushConfig,
  WebhookPost,
  WebhookUpdate,
} from "./push-config.ts";
import { RunningPost, type SendWebhook } from "./running-post.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** Milliseconds between a failed POST and the next, by how many failed (W2). */
export const RETRY_MS: readonly number[] = [1_000, 3_000, 9_000];
/** Milliseconds between POSTs of progress (B22: about 1.5 s). */
export const THROTTLE_MS = 1_500;
/** Milliseconds until a failed read or commit of the store is retried. */
const STORE_RETRY_MS = 1_000;

/** Number of a task's first event. */
const FIRST_EVENT = 1;

/** The outcome of a POST or of its event. */
export type DeliveryOutcome = "delivered" | "retried" | "failed" | "superseded";

/** What deliveries have in common. */
export interface DeliveryDeps {
  readonly store: WebhookStore;
  readonly clock: Clock;
  readonly slots: FairSlots;
  readonly send: SendWebhook;
  readonly render: RenderWebhook;
  /** `reason`: why it did not arrive. */
  readonly onOutcome: (config: PushConfig, outcome: DeliveryOutcome, reason?: string) => void;
  /** The task's end was sent or given up: there is nothing more to do. */
  readonly onSettled: (delivery: Delivery) => void;
  readonly log: Pick<EngineLog, "warn" | "debug">;
}

/** A webhook until its task's end is sent. */
export class Delivery implements SlotTaker {
  readonly config: PushConfig;
  readonly host: string;
  readonly #registered: number;
  readonly #progress: DeliveryProgress;
  readonly #deps: DeliveryDeps;
  readonly #pending = new PendingEvents();
  /** What is pending was read from the journal. */
  #known = false;
  /** The task's first event is to be sent even if there are newer ones (B22: the initial `working`). */
  #opens: boolean;
  #lastPostAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #timerAt = 0;
  /** It has a slot, or waits for one. */
  #busy = false;
  #running: RunningPost | undefined;
  #closed = false;

  /** `opens`: it was registered with its task, so its first event is sent. */
  constructor({ config, registered, progress }: StoredPushConfig, deps: DeliveryDeps, opens = false) {
    this.config = config;
    this.host = URL.parse(config.url)?.host ?? "";
    this.#registered = registered;
    this.#progress = progress;
    this.#deps = deps;
    this.#opens = opens;
  }

  /** Events were committed: the newest to send, and the newest to send at once (0: none of these). */
  committed(notified: number, urgent: number): void {
    this.#pending.add(notified, urgent);
    this.wake();
  }

  /** Does what is due, or sets a timer for it. */
  wake(): void {
    if (this.#closed) return;
    if (this.#busy) {
      this.#limitCurrentPost();
      return;
    }
    const due = this.#known && !this.#opens ? this.#dueAt(this.#pending.next(this.#progress)) : this.#deps.clock.now();
    if (due > this.#deps.clock.now()) {
      this.#wakeAt(due);
      return;
    }
    this.#stopTimer();
    this.#busy = true;
    this.#deps.slots.acquire(this);
  }

  /** Called once it has a slot. */
  begin(): void {
    this.#act()
      .catch((error: unknown) => this.#retryLater(error))
      .finally(() => {
        this.#busy = false;
        // It requests its next slot before it releases this one: in between, the slots do not count as idle.
        if (this.#timer === undefined) this.wake();
        this.#deps.slots.release(this);
      });
  }

  /** Sends nothing more: removed, replaced, or the service stops. */
  close(): void {
    this.#closed = true;
    this.#stopTimer();
    this.#running?.abort();
  }

  #dueAt(event: number): number {
    if (event === 0) return Number.POSITIVE_INFINITY;
    const { target, failures, nextAt } = this.#progress;
    if (event === target && failures > 0) return nextAt;
    return event === this.#pending.urgent ? 0 : this.#lastPostAt + THROTTLE_MS;
  }

  #wakeAt(due: number): void {
    if (this.#timer !== undefined && this.#timerAt === due) return;
    this.#stopTimer();
    if (due === Number.POSITIVE_INFINITY) return;
    this.#timerAt = due;
    const { clock } = this.#deps;
    const run = (): void => {
      this.#timer = undefined;
      this.wake();
    };
    this.#timer = clock.setTimeout(run, due - clock.now(), { background: true });
  }

  #stopTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Aborts the running POST soon when an urgent event has come after its own. */
  #limitCurrentPost(): void {
    if (this.#running !== undefined && this.#pending.urgent > this.#running.target) this.#running.abortSoon();
  }

  async #act(): Promise<void> {
    if (this.#closed) return;
    if (this.#opens) return this.#send(FIRST_EVENT);
    if (!this.#known) await this.#readNewest();
    // What was due when the slot was requested may have changed since.
    const event = this.#pending.next(this.#progress);
    if (this.#closed || this.#dueAt(event) > this.#deps.clock.now()) return;
    await this.#send(event);
  }

  async #readNewest(): Promise<void> {
    const { cursor } = this.#progress;
    const { notified, urgent } = await this.#deps.store.newest(this.config.task, cursor);
    this.#pending.add(notified, urgent);
    this.#known = true;
    // Every task begins with an event that is sent, so this one's journal was removed.
    if (this.#pending.latest === 0 && cursor === 0) await this.#settle();
  }

  async #send(target: number): Promise<void> {
    const { store } = this.#deps;
    const { task, context } = this.config;
    const event = await store.event(task, target);
    const artifacts = event?.event.kind === "task.completed" ? await store.artifacts(task) : [];
    if (this.#closed || (this.#pending.urgent > target && !this.#opens)) return;
    this.#opens = false;
    const progress = this.#progress;
    if (progress.target !== target) Object.assign(progress, { target, step: 0, failures: 0, nextAt: 0 });
    if (event === undefined) {
      await this.#finish(undefined);
      return;
    }
    const posts = this.#written({ task: { id: task, context }, event, artifacts });
    const at = posts.findIndex(({ seq }) => seq > progress.step);
    const post = posts[at];
    if (post === undefined) await this.#finish(event);
    else await this.#record(event, post, at === posts.length - 1, await this.#post(target, post));
  }

  #written(update: WebhookUpdate): readonly WebhookPost[] {
    const { render, log, onOutcome } = this.#deps;
    try {
      return render(this.config, update);
    } catch (error) {
      // A bug: a retry would fail the same way.
      log.warn(`event ${update.event.seq} of task ${this.config.task} cannot be notified: ${stackOf(error)}`);
      onOutcome(this.config, "failed", `event ${update.event.seq}: it cannot be written`);
      return [];
    }
  }

  /** Undefined: aborted by a newer event or the end of this delivery. */
  async #post(target: number, post: WebhookPost): Promise<PostOutcome | undefined> {
    const { clock, send } = this.#deps;
    const running = new RunningPost(target, clock);
    this.#running = running;
    this.#limitCurrentPost();
    this.#lastPostAt = clock.now();
    try {
      return await running.send(this.config.url, post, send);
    } finally {
      this.#running = undefined;
    }
  }

  async #record(
    event: CommittedEvent,
    post: WebhookPost,
    isLast: boolean,
    outcome: PostOutcome | undefined,
  ): Promise<void> {
    if (this.#closed) return;
    const { onOutcome } = this.#deps;
    const progress = this.#progress;
    const isOvertaken = this.#pending.urgent > event.seq;
    if (outcome?.kind !== "delivered" && isOvertaken) {
      onOutcome(this.config, "superseded");
      return;
    }
    if (outcome === undefined) return;
    if (outcome.kind === "failed" && progress.failures < RETRY_MS.length) {
      progress.nextAt = this.#deps.clock.now() + RETRY_MS[progress.failures]!;
      progress.failures++;
      onOutcome(this.config, "retried", outcome.reason);
      await this.#save();
      return;
    }
    if (outcome.kind === "delivered") onOutcome(this.config, "delivered");
    else onOutcome(this.config, "failed", `event ${post.seq}: ${outcome.reason}`);
    if (isLast) {
      await this.#finish(event);
      return;
    }
    Object.assign(progress, { step: post.seq, failures: 0, nextAt: 0 });
    await this.#save();
  }

  /** The event was sent, given up, or is removed from the journal. */
  async #finish(event: CommittedEvent | undefined): Promise<void> {
    const progress = this.#progress;
    Object.assign(progress, { cursor: progress.target, target: 0, step: 0, failures: 0, nextAt: 0 });
    if (event !== undefined && endsNotifications(event.event)) await this.#settle();
    // The urgent event that is due replaces this one, so its own commit is enough.
    else if (this.#pending.urgent <= progress.cursor) await this.#save();
  }

  async #settle(): Promise<void> {
    this.#progress.settledAt = this.#deps.clock.now();
    await this.#save();
    if (this.#closed) return;
    this.close();
    this.#deps.onSettled(this);
  }

  /** WH1: resolves only once the progress is stored. */
  async #save(): Promise<void> {
    const { store, clock, log } = this.#deps;
    for (let tries = 0; !this.#closed; tries++) {
      try {
        await store.advance({ config: this.config, registered: this.#registered, progress: this.#progress });
        return;
      } catch (error) {
        if (isStoreGone(error)) return this.close();
        if (tries === 0) log.warn(`a webhook of task ${this.config.task} waits for the store: ${String(error)}`);
        await sleep(clock, STORE_RETRY_MS);
      }
    }
  }

  /** A read of the store failed. */
  #retryLater(error: unknown): void {
    if (isStoreGone(error)) {
      this.close();
      return;
    }
    const { log, clock } = this.#deps;
    log.warn(`a webhook of task ${this.config.task} is tried again: ${stackOf(error)}`);
    this.#wakeAt(clock.now() + STORE_RETRY_MS);
  }
}
