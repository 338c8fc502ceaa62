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
import type { EngineLog } from "../log/index.ts";
import type { FairSlots, SlotTaker } from "./fair-slots.ts";
import { endsNotifications } from "./notified-events.ts";
import { outcomeOfError, outcomeOfStatus, type PostOutcome } from "./post-outcome.ts";
import type {
  DeliveryProgress,
  PushConfig,
  RenderWebhook,
  StoredPushConfig,
  WebhookPost,
  WebhookUpdate,
} from "./push-config.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** Milliseconds between a failed POST and the next, by how many failed (W2). */
export const RETRY_MS: readonly number[] = [1_000, 3_000, 9_000];
/** Milliseconds a POST may take (W2). */
export const TIMEOUT_MS = 10_000;
/** Milliseconds between POSTs of progress (B22: about 1.5 s). */
export const THROTTLE_MS = 1_500;
/**
 * Milliseconds a running POST is left when its task ends or parks. Most are answered by then, and their receiver sees
 * `working` before `completed` instead of two requests at once.
 */
export const GRACE_MS = 200;
/** Milliseconds until a failed read or commit of the store is retried. */
const STORE_RETRY_MS = 1_000;

/** Number of a task's first event. */
const FIRST_EVENT = 1;

/** The outcome of a POST or of its event. */
export type DeliveryOutcome = "delivered" | "retried" | "failed" | "superseded";

/** Makes a POST. @returns the status of the response */
export type SendWebhook = (url: string, post: WebhookPost & { readonly signal: AbortSignal }) => Promise<number>;

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

interface Posting {
  readonly target: number;
  readonly controller: AbortController;
  grace: Timer | undefined;
}

/** A webhook until its task's end is sent. */
export class Delivery implements SlotTaker {
  readonly config: PushConfig;
  readonly host: string;
  readonly #registered: number;
  readonly #progress: DeliveryProgress;
  readonly #deps: DeliveryDeps;
  /** Newest event to send, and newest to send at once; `#known`: both were read from the journal. */
  #latest = 0;
  #urgent = 0;
  #known = false;
  /** The task's first event is to be sent even if there are newer ones (B22: the initial `working`). */
  #opens: boolean;
  #lastPostAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #timerAt = 0;
  /** It has a slot, or waits for one. */
  #busy = false;
  #posting: Posting | undefined;
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
    if (notified > this.#latest) this.#latest = notified;
    if (urgent > this.#urgent) this.#urgent = urgent;
    this.wake();
  }

  /** Does what is due, or sets a timer for it. */
  wake(): void {
    if (this.#closed) return;
    if (this.#busy) {
      this.#limitCurrentPost();
      return;
    }
    const due = this.#known && !this.#opens ? this.#dueAt(this.#next()) : this.#deps.clock.now();
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
    this.#posting?.controller.abort();
  }

  /** The event to send (WH2); 0: none. */
  #next(): number {
    const { cursor, target } = this.#progress;
    if (this.#urgent > cursor) return this.#urgent;
    // A failed event is retried until it is given up before a newer one is sent.
    if (target > cursor) return target;
    return this.#latest > cursor ? this.#latest : 0;
  }

  #dueAt(event: number): number {
    if (event === 0) return Number.POSITIVE_INFINITY;
    const { target, failures, nextAt } = this.#progress;
    if (event === target && failures > 0) return nextAt;
    return event === this.#urgent ? 0 : this.#lastPostAt + THROTTLE_MS;
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

  /** Aborts the running POST after `GRACE_MS` when an urgent event has come after its own. */
  #limitCurrentPost(): void {
    const posting = this.#posting;
    if (posting === undefined || posting.grace !== undefined || this.#urgent <= posting.target) return;
    const { controller } = posting;
    posting.grace = this.#deps.clock.setTimeout(() => controller.abort(), GRACE_MS, { background: true });
  }

  async #act(): Promise<void> {
    if (this.#closed) return;
    if (this.#opens) return this.#send(FIRST_EVENT);
    if (!this.#known) await this.#readNewest();
    // What was due when the slot was requested may have changed since.
    const event = this.#next();
    if (this.#closed || this.#dueAt(event) > this.#deps.clock.now()) return;
    await this.#send(event);
  }

  async #readNewest(): Promise<void> {
    const { cursor } = this.#progress;
    const { notified, urgent } = await this.#deps.store.newest(this.config.task, cursor);
    if (notified > this.#latest) this.#latest = notified;
    if (urgent > this.#urgent) this.#urgent = urgent;
    this.#known = true;
    // Every task begins with an event that is sent, so this one's journal was removed.
    if (this.#latest === 0 && cursor === 0) await this.#settle();
  }

  async #send(target: number): Promise<void> {
    const { store } = this.#deps;
    const { task, context } = this.config;
    const event = await store.event(task, target);
    const artifacts = event?.event.kind === "task.completed" ? await store.artifacts(task) : [];
    if (this.#closed || (this.#urgent > target && !this.#opens)) return;
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
      const what = error instanceof Error ? (error.stack ?? error.message) : "failed";
      log.warn(`event ${update.event.seq} of task ${this.config.task} cannot be notified: ${what}`);
      onOutcome(this.config, "failed", `event ${update.event.seq}: it cannot be written`);
      return [];
    }
  }

  /** Undefined: aborted by a newer event or the end of this delivery. */
  async #post(target: number, post: WebhookPost): Promise<PostOutcome | undefined> {
    const { clock, send } = this.#deps;
    const controller = new AbortController();
    const posting: Posting = { target, controller, grace: undefined };
    this.#posting = posting;
    this.#limitCurrentPost();
    this.#lastPostAt = clock.now();
    let timedOut = false;
    const abandon = (): void => {
      timedOut = true;
      controller.abort();
    };
    const timeout = clock.setTimeout(abandon, TIMEOUT_MS, { background: true });
    try {
      return outcomeOfStatus(await send(this.config.url, { ...post, signal: controller.signal }));
    } catch (error) {
      if (timedOut) return { kind: "failed", reason: `no answer within ${TIMEOUT_MS} ms` };
      return controller.signal.aborted ? undefined : outcomeOfError(error);
    } finally {
      timeout.cancel();
      posting.grace?.cancel();
      this.#posting = undefined;
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
    const isOvertaken = this.#urgent > event.seq;
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
    else if (this.#urgent <= progress.cursor) await this.#save();
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
    const what = error instanceof Error ? (error.stack ?? error.message) : "failed";
    log.warn(`a webhook of task ${this.config.task} is tried again: ${what}`);
    this.#wakeAt(clock.now() + STORE_RETRY_MS);
  }
}
