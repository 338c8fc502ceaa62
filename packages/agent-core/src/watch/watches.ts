/**
 * Watches: conditions that are checked again and again, and what follows when they hold or change (G18 to G20).
 */
import { createHash } from "node:crypto";
import { isStoreGone } from "../database/index.ts";
import { Agenda } from "../timer/index.ts";
import { FireWindow, isDraining } from "../trigger/index.ts";
import type { WorkingAsk, WorkingPart } from "../working-state/index.ts";
import type { HeldWatch } from "./held-watch.ts";
import { pauseMs, WATCH_LIMITS, type Watch, type WatchFire } from "./watch.ts";
import { WatchChecks } from "./watch-checks.ts";
import { WatchCounters } from "./watch-counters.ts";
import { WatchError } from "./watch-error.ts";
import { changedWatch, type NewWatch, type WatchChange, watchOf } from "./watch-request.ts";
import type { ShownWatch, WatchesParts } from "./watches-parts.ts";
import { workingWatches } from "./working-watches.ts";

const HOUR_MS = 3_600_000;
/** Milliseconds until it is looked at again whether watches are checked. */
const OFF_LOOK_MS = 30_000;
/** Checks that run at a time. */
const AT_ONCE = 4;

/** The watches of a service, all of them in memory. */
export class Watches {
  readonly #parts: WatchesParts;
  readonly #agenda: Agenda;
  readonly #checks: WatchChecks;
  readonly #stopping = new AbortController();
  readonly #counters: WatchCounters;
  /** Watches that are being made: they count as there are. */
  #making: Promise<unknown> = Promise.resolve();

  constructor(parts: WatchesParts) {
    this.#parts = parts;
    this.#counters = new WatchCounters(parts);
    this.#agenda = new Agenda({ clock: parts.clock, most: AT_ONCE, run: (id) => this.#run(id) });
    const plan = (held: HeldWatch, at: number): void => this.#plan(held, at);
    this.#checks = new WatchChecks({ ...parts, signal: this.#stopping.signal, plan });
  }

  /** Whether watches are checked. */
  get isOn(): boolean {
    return this.#parts.settings().poller;
  }

  /** How many are active. */
  get count(): number {
    return this.#active().length;
  }

  /** When the next check or end of all is due; undefined: none is. Epoch milliseconds. */
  get nextDueAt(): number | undefined {
    if (!this.isOn) return undefined;
    const due = this.#active().flatMap(({ next }) => (next === undefined ? [] : [next]));
    return due.length === 0 ? undefined : due.reduce((first, at) => Math.min(first, at));
  }

  /** The newest first. */
  list(): readonly ShownWatch[] {
    const all = this.#parts.held.all().map((held) => this.#shown(held));
    return all.toSorted((a, b) => b.watch.createdAt - a.watch.createdAt || (a.watch.id < b.watch.id ? -1 : 1));
  }

  get(id: string): ShownWatch | undefined {
    const held = this.#parts.held.get(id);
    return held && this.#shown(held);
  }

  /** The active ones, as turns are shown them. */
  workingState(ask: WorkingAsk): WorkingPart | undefined {
    return workingWatches(this.#parts.held, ask);
  }

  /** Newest first. @throws WatchError unknown_watch @throws DatabaseError */
  async fires(
    id: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly WatchFire[]> {
    this.#known(id);
    return this.#parts.store.fires(id, page);
  }

  /** Makes a watch, in the place of one with its id. Made again by the same call, it is the same watch. @throws WatchError */
  async create(asked: NewWatch): Promise<ShownWatch & { readonly replaced: boolean }> {
    const { clock, verifiers } = this.#parts;
    if (!this.isOn) throw new WatchError("off", "watches are switched off (watches.poller)");
    const watch = await watchOf(asked, verifiers, clock.now());
    const made = this.#making.then(() => this.#make(watch));
    this.#making = made.catch(() => {});
    return made;
  }

  /** @throws WatchError too_many */
  #make(watch: Watch): Promise<ShownWatch & { readonly replaced: boolean }> {
    const { clock, held: all, db, store, events } = this.#parts;
    return all.lock(watch.id, async () => {
      const before = all.get(watch.id);
      const { originCall } = watch;
      if (before !== undefined && originCall !== undefined && before.watch.originCall === originCall)
        return { ...this.#shown(before), replaced: false };
      this.#requireRoom(watch, before);
      await db.commit({ label: "watch.create", statements: [...store.remove(watch.id), store.put(watch)] });
      if (before !== undefined) this.#forget(before);
      const held = this.#hold(watch, clock.now());
      events.changed(watch.id, "created");
      return { ...this.#shown(held), replaced: before !== undefined };
    });
  }

  /** @throws WatchError unknown_watch, ended, invalid, refused */
  async update(id: string, change: WatchChange): Promise<ShownWatch> {
    const { clock, verifiers, held: all, db, store, events } = this.#parts;
    return all.lock(id, async () => {
      const held = this.#known(id);
      if (held.watch.status !== "active") throw new WatchError("ended", "the watch has ended: make it again");
      const watch = await changedWatch(held.watch, change, verifiers, clock.now());
      await db.commit({ label: "watch.change", statements: [store.put(watch)] });
      held.watch = watch;
      held.revision++;
      this.#plan(held, clock.now());
      events.changed(id, "changed");
      return this.#shown(held);
    });
  }

  /** False: there is none. A reaction that runs goes on. */
  async clear(id: string): Promise<boolean> {
    const { held: all, db, store, events } = this.#parts;
    return all.lock(id, async () => {
      const held = all.get(id);
      if (held === undefined) return false;
      await db.commit({ label: "watch.clear", statements: store.remove(id) });
      this.#forget(held);
      events.changed(id, "removed");
      return true;
    });
  }

  /**
   * Checks a watch now; one that takes its place meanwhile instead of it.
   * @throws WatchError unknown_watch (also: it was removed meanwhile), ended, off
   */
  async check(id: string): Promise<ShownWatch> {
    let held = this.#known(id);
    if (!this.isOn) throw new WatchError("off", "watches are switched off (watches.poller)");
    if (held.watch.status !== "active") throw new WatchError("ended", "the watch has ended: make it again");
    for (;;) {
      await this.#checks.checkAnew(held);
      const there = this.#known(id);
      if (there === held) return this.#shown(held);
      held = there;
    }
  }

  /** Takes over the watches of a former process; nothing is checked yet. @throws DatabaseError */
  async recover(): Promise<void> {
    const { store, reactions, clock } = this.#parts;
    for (const watch of await store.load()) {
      const held = this.#hold(watch, undefined);
      if (watch.state.fireCount === 0) continue;
      const fires = await store.fires(watch.id, { limit: WATCH_LIMITS.reactionsAnHour });
      for (const { at, task } of fires.toReversed())
        if (task !== undefined && at > clock.now() - HOUR_MS) held.window.note(at);
      reactions.hold(held);
    }
  }

  /** From here on watches are checked: those there are spread over their interval. */
  start(): void {
    const now = this.#parts.clock.now();
    for (const held of this.#parts.held.all()) {
      const { id } = held.watch;
      const share = Number.parseInt(createHash("sha256").update(id).digest("hex").slice(0, 8), 16) / 0xffff_ffff;
      this.#plan(held, now + share * pauseMs(held.watch, this.#parts.settings().interval));
    }
    this.#parts.reactions.trigger.wake();
  }

  /** Called every few seconds. */
  tick(): void {
    this.#counters.tick();
  }

  /** Checks nothing any more; stores the counters. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the service is stopping"));
    await this.#agenda.stop();
    await this.#counters.idle();
    const { reactions, held, db, store, log } = this.#parts;
    await reactions.trigger.stop();
    await held.idle();
    const active = this.#active().filter(({ watch }) => watch.state.checkCount > 0);
    if (active.length === 0) return;
    const statements = active.map(({ watch }) => store.put(watch));
    await db.commit({ label: "watch.counters", statements }).catch((error: unknown) => {
      if (!isStoreGone(error)) log.warn(`the counters of watches could not be stored: ${String(error)}`);
    });
  }

  /** Removes those that ended long ago. */
  async sweep(now: number): Promise<void> {
    const { keep_terminal_h: hours } = this.#parts.settings();
    if (hours === 0) return;
    for (const { watch } of this.#parts.held.all())
      if (watch.finishedAt !== undefined && watch.finishedAt < now - hours * HOUR_MS) await this.clear(watch.id);
  }

  /** Removes those of a session. */
  async forgetSession(session: string): Promise<void> {
    for (const { watch } of this.#parts.held.all()) if (watch.context === session) await this.clear(watch.id);
  }

  /** Resolves once everything is done that was due when it was called. */
  async idle(): Promise<void> {
    const { held, reactions } = this.#parts;
    await this.#counters.idle();
    for (const { checking } of held.all()) await checking;
    await held.idle();
    await reactions.trigger.idle();
  }

  #shown({ watch, next }: HeldWatch): ShownWatch {
    return { watch, nextCheckAt: watch.status === "active" && this.isOn ? next : undefined };
  }

  #active(): readonly HeldWatch[] {
    return this.#parts.held.all().filter(({ watch }) => watch.status === "active");
  }

  #known(id: string): HeldWatch {
    const held = this.#parts.held.get(id);
    if (held === undefined) throw new WatchError("unknown_watch", "there is no such watch");
    return held;
  }

  #requireRoom({ createdBy }: Watch, before: HeldWatch | undefined): void {
    const active = this.#active().filter((held) => held !== before);
    const ofAgent = active.filter(({ watch }) => watch.createdBy === "agent").length;
    if (active.length >= WATCH_LIMITS.active || (createdBy === "agent" && ofAgent >= WATCH_LIMITS.ofAgent))
      throw new WatchError("too_many", "there are as many watches as there may be: clear some");
  }

  #hold(watch: Watch, firstCheck: number | undefined): HeldWatch {
    const window = new FireWindow(WATCH_LIMITS.reactionsAnHour, HOUR_MS);
    const held: HeldWatch = { watch, revision: 0, next: undefined, unsaved: false, window, checking: undefined };
    this.#parts.held.set(held);
    if (firstCheck !== undefined) this.#plan(held, firstCheck);
    return held;
  }

  #forget(held: HeldWatch): void {
    held.revision++;
    this.#parts.held.delete(held.watch.id);
    this.#agenda.delete(held.watch.id);
    this.#parts.reactions.trigger.drop([held]);
  }

  /** Has a watch checked at a time, or expire before it. */
  #plan(held: HeldWatch, at: number): void {
    const { watch } = held;
    if (watch.status !== "active" || this.#stopping.signal.aborted) {
      held.next = undefined;
      this.#agenda.delete(watch.id);
      return;
    }
    held.next = Math.round(Math.min(at, watch.deadline ?? at));
    this.#agenda.set(watch.id, held.next);
  }

  async #run(id: string): Promise<void> {
    const { held: all, clock, log } = this.#parts;
    const held = all.get(id);
    if (held === undefined) return;
    if (!this.isOn) {
      this.#plan(held, clock.now() + OFF_LOOK_MS);
      return;
    }
    try {
      await this.#checks.check(held);
    } catch (error) {
      if (this.#stopping.signal.aborted || isStoreGone(error) || isDraining(error)) return;
      log.warn(`the watch ${id}: ${error instanceof Error ? error.message : String(error)}; checking again`);
    }
    if (all.get(id) === held) this.#plan(held, clock.now() + pauseMs(held.watch, this.#parts.settings().interval));
  }
}
