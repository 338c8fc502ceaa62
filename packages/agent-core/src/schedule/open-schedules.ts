import { nextSlot } from "../cron/index.ts";
import type { Engine } from "../feature/index.ts";
import type { DurableTimer, FireLater, SettleTimer } from "../timer/index.ts";
import type { WorkingAsk, WorkingPart } from "../working-state/index.ts";
import { CatchUp } from "./catch-up.ts";
import { type HeldJob, HeldJobs } from "./held-jobs.ts";
import type { JobConditions } from "./job-conditions.ts";
import { JobStore } from "./job-store.ts";
import { Ledger } from "./ledger.ts";
import { missedRow } from "./ledger-rows.ts";
import { missedUntil } from "./plan-slots.ts";
import { RemoteRuns, type RunElsewhere } from "./remote-runs.ts";
import { scheduleEvents } from "./schedule-events.ts";
import { type ScheduledJob, timerId } from "./scheduled-job.ts";
import { Schedules, timerOf } from "./schedules.ts";
import { SlotFiring } from "./slot-firing.ts";
import { SlotRuns } from "./slot-runs.ts";
import { SwitchState } from "./switch-state.ts";
import { workingJobs } from "./working-jobs.ts";

const BOOTS = "boots";

export interface OpenSchedulesOptions {
  /** Whether the settings have schedules on. */
  readonly isOn: () => boolean;
  /** Milliseconds until a run is said to be overdue. */
  readonly overdueMs: () => number;
  /** Undefined: slots are run here. */
  readonly elsewhere: () => RunElsewhere | undefined;
  readonly conditions: JobConditions;
  readonly onChange?: ((schedules: Schedules) => void) | undefined;
}

/** The jobs of a store, and what fires them. */
export class OpenSchedules {
  readonly schedules: Schedules;
  readonly #engine: Engine;
  readonly #store: JobStore;
  readonly #ledger: Ledger;
  readonly #jobs = new HeldJobs();
  readonly #runs: SlotRuns;
  readonly #remote: RemoteRuns;
  readonly #firing: SlotFiring;
  readonly #switch: SwitchState;
  readonly #catchUp = new CatchUp();
  readonly #conditions: JobConditions;
  readonly #events: ReturnType<typeof scheduleEvents>;

  constructor(engine: Engine, { isOn, overdueMs, elsewhere, conditions, onChange }: OpenSchedulesOptions) {
    const { db, journal, service, clock, log, timers, bus, redactor } = engine;
    this.#engine = engine;
    const store = new JobStore(db);
    const ledger = new Ledger(db);
    const onListed = (): void => onChange?.(this.schedules);
    const events = scheduleEvents(bus, (text) => redactor.text(text), onListed);
    const jobs = this.#jobs;
    const common = { db, clock, store, ledger, jobs, events, isOn: () => this.#switch.fires };
    const runs = new SlotRuns({
      ...common,
      ...{ journal, service, log, timers, overdueMs, elsewhere },
      toolbox: () => engine.toolbox,
      redact: (text) => redactor.text(text),
    });
    const remote = new RemoteRuns({ clock, elsewhere, log, ended: (run, outcome) => runs.endRemote(run, outcome) });
    runs.sendBy((held, run, notes) => remote.send(held, run, notes));
    const now = (): number => clock.now();
    this.#switch = new SwitchState({ db, store, now, isOn, log, recordOff: () => this.#recordOff() });
    const firing = new SlotFiring({ ...common, runs, catchUp: this.#catchUp, conditions });
    this.schedules = new Schedules({
      ...{ db, now, timers, store, ledger, jobs, runs, firing, isOn, conditions },
      onChange: (id, action) => events.changed(id, action),
      onMissed: (run) => events.missed(run),
    });
    this.#store = store;
    this.#ledger = ledger;
    this.#events = events;
    this.#runs = runs;
    this.#remote = remote;
    this.#firing = firing;
    this.#conditions = conditions;
  }

  /** Takes over jobs and runs of a former process; nothing is fired yet. @throws DatabaseError */
  async recover(): Promise<void> {
    const [jobs, pending, newest, open] = await Promise.all([
      this.#store.load(),
      this.#store.pendingSlots(),
      this.#ledger.newestRuns(),
      this.#ledger.open(),
    ]);
    for (const job of jobs) {
      const held = this.#read(job);
      if (held === undefined) continue;
      held.last = newest.get(job.id);
      held.next = job.enabled ? pending.get(timerId(job.id)) : undefined;
      this.#jobs.set(held);
      const isOutdated = job.tzVersion !== (process.versions.tz ?? "") && job.kind === "cron";
      if (job.enabled && (held.next === undefined || isOutdated)) await this.#rearm(held);
    }
    for (const run of open) this.#runs.hold(run, this.#jobs.get(run.job)?.job.overlap === "allow");
  }

  /** From here on slots are fired. @throws DatabaseError */
  async start(): Promise<void> {
    const { db, clock } = this.#engine;
    const known = await this.#store.state(BOOTS);
    const boots = this.#catchUp.start(clock.now(), known === undefined ? [] : (JSON.parse(known) as number[]));
    if (this.#jobs.size > 0)
      await db.commit({ label: "schedule.boot", statements: [this.#store.setState(BOOTS, JSON.stringify(boots))] });
    await this.#switch.start();
    for (const run of this.#runs.trigger.rows) if (run.remote) await this.#runs.sendAgain(run);
    this.#runs.trigger.wake();
  }

  /** The jobs that are on, as turns are shown them. */
  workingState(ask: WorkingAsk): WorkingPart | undefined {
    return workingJobs(this.#jobs, ask);
  }

  fire(timer: DurableTimer, settle: SettleTimer): Promise<FireLater | undefined> {
    return this.#firing.fire(timer, settle);
  }

  tick(): void {
    this.#switch.tick();
  }

  /** Fires and sends nothing any more. */
  async stop(): Promise<void> {
    this.#conditions.stop();
    await this.#switch.stop();
    await this.#runs.trigger.stop();
    await this.#remote.stop();
    await this.#jobs.idle();
  }

  /** Resolves once everything is done that was due when it was called. */
  async idle(): Promise<void> {
    await this.#jobs.idle();
    await this.#runs.trigger.idle();
  }

  #read(job: ScheduledJob): HeldJob | undefined {
    const now = job.kind === "once" ? 0 : this.#engine.clock.now();
    try {
      return { job, schedule: this.#jobs.parse({ ...job, now }), next: undefined, last: undefined };
    } catch (error) {
      this.#engine.log.warn(`the job ${job.id} cannot be read and is left out: ${String(error)}`);
      return undefined;
    }
  }

  /** Finds the next slot anew: the table of time zones has changed since it was found. */
  async #rearm(held: HeldJob): Promise<void> {
    const { db, timers } = this.#engine;
    const job = { ...held.job, tzVersion: process.versions.tz ?? "" };
    const { schedule } = held;
    // What was due when the job was changed last is in the ledger, unless it is what is pending.
    const changedAt = held.next !== undefined && held.next > job.updatedAt ? job.updatedAt : 0;
    const since = Math.max((await this.#ledger.newest(job.id)) ?? 0, job.createdAt, changedAt);
    const next = schedule.kind === "once" ? schedule.at : nextSlot(schedule, since);
    this.#jobs.set(Object.assign(held, { job, next }));
    if (next === undefined) return;
    await timers.setWithin(timerOf(held, next), (timer) =>
      db.commit({ label: "schedule.rearm", statements: [this.#store.put(job), timer] }),
    );
  }

  async #recordOff(): Promise<void> {
    for (const { job } of this.#jobs.all()) await this.#jobs.lock(job.id, () => this.#missOff(job.id));
  }

  async #missOff(id: string): Promise<void> {
    const { db, timers, clock } = this.#engine;
    const held = this.#jobs.get(id);
    const now = clock.now();
    if (held?.next === undefined || held.next > now) return;
    const { schedule } = held;
    const slots = missedUntil(schedule, held.next, now);
    const missed = missedRow(id, slots, { reason: "off", now });
    const next = nextSlot(schedule, slots.upto);
    const isOver = schedule.kind === "once";
    const job = isOver ? { ...held.job, enabled: false, updatedAt: now } : held.job;
    const more = [this.#ledger.add(missed), ...(isOver ? [this.#store.put(job)] : [])];
    const label = "schedule.off";
    if (next === undefined)
      await timers.cancelWithin(timerId(id), (cancel) => db.commit({ label, statements: [...more, cancel] }));
    else await timers.setWithin(timerOf(held, next), (timer) => db.commit({ label, statements: [...more, timer] }));
    this.#jobs.set(Object.assign(held, { job, next }));
    this.#events.missed(missed);
  }
}
