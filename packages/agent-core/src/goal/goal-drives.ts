/**
 * Works on goals: a turn, a check of what it did, and what follows from the verdict, again and again (G15, G16).
 *
 * Invariants
 *  TR1  What changes of a goal and the task it starts are one command: a kill leaves both or neither.
 *  TR3  What a restart interrupted is started again at most twice in a row, and the new turn is told so.
 *  GO3  A failed check never resets streak or iterations.
 */
import type { Statement } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import { hadEffects, lookOf, TriggerDriver } from "../trigger/index.ts";
import type { TurnRole } from "../turn/index.ts";
import { completedBefore, noteCompleted } from "./completed-turns.ts";
import { driveTask } from "./drive-task.ts";
import { dueGoals, type GoalStep } from "./due-goals.ts";
import type { EndedTurn, Goal, GoalPause, NewGoalEvent } from "./goal.ts";
import type { CheckEnd } from "./goal-checks.ts";
import { drivesFromOutside, endText } from "./goal-text.ts";
import type { GoalsParts } from "./goals-parts.ts";
import type { HeldGoal } from "./held-goals.ts";
import { retryOf } from "./retry.ts";
import { spentBy, withSpent } from "./spent.ts";
import { type Decision, judge, verdictEvent } from "./verdict.ts";

/** Follows the active goals of a service, from the start on. */
export class GoalDrives {
  readonly trigger: TriggerDriver<HeldGoal, GoalStep>;
  readonly #parts: GoalsParts;

  constructor(parts: GoalsParts) {
    this.#parts = parts;
    const { journal, service, clock, log, held } = parts;
    this.trigger = new TriggerDriver({
      ...{ name: "goals", journal, service, clock, log },
      tasksOf: ({ goal: { state } }) => [state.drive, state.verify].filter((task) => task !== undefined),
      due: (rows, look, now) => dueGoals(rows, look, { now, isOn: parts.settings().enabled }),
      take: (step) => held.lock(step.held.goal.context, () => this.#take(step)),
    });
  }

  /** Follows a goal. */
  follow(held: HeldGoal): void {
    this.#parts.held.set(held);
    this.trigger.rows.push(held);
  }

  /** Follows it no more. */
  drop(held: HeldGoal): void {
    this.#parts.held.delete(held);
    this.trigger.drop([held]);
  }

  /**
   * Starts a turn that works on a goal, in one command with what has changed of it. Returns the goal as it is then; nothing
   * has changed where this rejects. @throws TaskError, DatabaseError
   */
  async begin(
    goal: Goal,
    events: readonly NewGoalEvent[],
    {
      remarks = [],
      before = [],
    }: { readonly remarks?: readonly string[]; readonly before?: readonly Statement[] } = {},
  ): Promise<Goal> {
    const { service, store, clock, newId, settings } = this.#parts;
    const id = newId();
    const state = { ...goal.state, drive: id, next: "verify" as const, retryAt: undefined, paused: undefined };
    const next: Goal = { ...goal, state };
    const drive: NewGoalEvent = { kind: "drive", task: id, iteration: goal.state.iteration + 1 };
    const { view } = await service.start({
      ...driveTask(goal, { id, messageId: newId(), remarks, maxRounds: settings().max_rounds_per_turn }),
      alongside: () => [...before, ...store.put(next, [...events, drive], clock.now())],
    });
    this.trigger.watch(view);
    return next;
  }

  /** The roles of the tasks that check. */
  roles(): { readonly [name: string]: TurnRole } {
    return this.#parts.checks.roles();
  }

  /** To be called with every commit of a task: microseconds. */
  onCommit(view: Readonly<TaskView>): void {
    if (noteCompleted(this.#parts.held, view)) this.trigger.wake();
  }

  /** Takes over the goals of a former process; nothing is driven yet. @throws DatabaseError */
  async recover(): Promise<void> {
    const { store, turns } = this.#parts;
    for (const goal of await store.active()) this.follow({ goal, completed: await completedBefore(turns, goal) });
  }

  /** From here on goals are driven. */
  start(): void {
    this.trigger.wake();
  }

  async stop(): Promise<void> {
    await this.trigger.stop();
    await this.#parts.held.idle();
  }

  /** Resolves once everything is done that was due when it was called. */
  async idle(): Promise<void> {
    await this.#parts.held.idle();
    await this.trigger.idle();
  }

  async #take({ kind, held }: GoalStep): Promise<void> {
    if (this.#parts.held.get(held.goal.context) !== held) return;
    switch (kind) {
      case "verdict":
        return this.#takeVerdict(held);
      case "driven":
        return this.#takeDrive(held);
      case "verify":
        return this.#verify(held);
      case "drive":
        return this.#drive(held, held.goal, []);
      case "off":
        return this.#pause(held, held.goal, "off");
    }
  }

  async #drive(
    held: HeldGoal,
    goal: Goal,
    events: readonly NewGoalEvent[],
    remarks: readonly string[] = [],
  ): Promise<void> {
    // What a restart ended, or a verdict asks for, is not begun while goals are off (G10).
    if (!this.#parts.settings().enabled) return this.#pause(held, goal, "off", events);
    held.goal = await this.begin(goal, events, { remarks });
    this.#parts.events.changed(held.goal, "changed");
  }

  /** Checks a goal after a turn of its session. */
  async #verify(held: HeldGoal): Promise<void> {
    const { completed, goal } = held;
    const turn: EndedTurn | undefined =
      completed === undefined ? goal.state.turn : { ...completed, isDrive: false, capped: false };
    if (completed !== undefined && !(await this.#parts.turns.answers(completed.task))) {
      held.completed = undefined;
      return;
    }
    await this.#startCheck(held, { ...goal, state: { ...goal.state, turn } }, []);
    if (held.completed === completed) held.completed = undefined;
  }

  async #startCheck(held: HeldGoal, goal: Goal, events: readonly NewGoalEvent[]): Promise<void> {
    const { checks, service, store, clock } = this.#parts;
    const task = await checks.taskFor(goal, goal.state.turn?.task);
    const next: Goal = {
      ...goal,
      state: {
        ...goal.state,
        ...{ verify: task.id, drive: undefined, next: "verify", retryAt: undefined, paused: undefined },
      },
    };
    const { view } = await service.start({ ...task, alongside: () => store.put(next, events, clock.now()) });
    held.goal = next;
    this.trigger.watch(view);
    this.#parts.events.changed(next, "changed");
  }

  async #takeDrive(held: HeldGoal): Promise<void> {
    const { service, turns, events, settings } = this.#parts;
    const { goal } = held;
    const task = goal.state.drive ?? "";
    const view = (await service.get(task))?.view;
    if (view === undefined || view.state === "canceled") return this.#pause(held, goal, "canceled");
    const spent = spentBy(view);
    const charged: Goal = { ...goal, state: withSpent(goal.state, spent) };
    if (view.state !== "completed") return this.#retryDrive(held, charged, view);
    const capped = await turns.wasCapped(task);
    const turn: EndedTurn = { task, at: view.statusAt, isDrive: true, capped, spent };
    const state = { ...charged.state, turn, failures: 0, attempt: 0 };
    const news: readonly NewGoalEvent[] = capped ? [{ kind: "round_cap", task }] : [];
    if (settings().enabled) {
      await this.#startCheck(held, { ...charged, state }, news);
      held.completed = undefined;
    } else await this.#store(held, { ...charged, state: { ...state, drive: undefined, next: "verify" } }, news);
    if (capped) events.roundCap(held.goal, task);
  }

  /** A turn that failed, or that a restart ended, is repeated where it had no effect (G5, G7). */
  async #retryDrive(held: HeldGoal, goal: Goal, view: Readonly<TaskView>): Promise<void> {
    const { db, toolbox, clock } = this.#parts;
    const { state } = goal;
    const task = state.drive ?? "";
    const { interrupted } = lookOf(view);
    const reason = view.failure?.message ?? "it failed";
    const news: NewGoalEvent[] = [{ kind: "turn_failed", task, reason, ...spentBy(view) }];
    const effects = await hadEffects(db, task, toolbox());
    const retry = retryOf(state, { interrupted, failed: "turn_failed", hadEffects: effects });
    if (retry.kind === "pause") return this.#pause(held, goal, retry.pause, news, retry.why);
    if (retry.kind === "again") {
      const remark = "The turn before this one was interrupted by a restart of the service.";
      return this.#drive(held, { ...goal, state: { ...state, attempt: retry.attempt } }, news, [remark]);
    }
    const again = { drive: undefined, next: "drive" as const, retryAt: clock.now() + retry.waitMs };
    return this.#store(held, { ...goal, state: { ...state, ...again, failures: state.failures + 1 } }, news);
  }

  async #takeVerdict(held: HeldGoal): Promise<void> {
    const { checks } = this.#parts;
    const { goal } = held;
    const { state } = goal;
    const task = state.verify ?? "";
    const end = await checks.endOf(goal);
    const over = { ...state, verify: undefined };
    switch (end.kind) {
      case "canceled":
        return this.#pause(held, { ...goal, state: over }, "canceled");
      case "interrupted":
      case "failed":
        return this.#retryCheck(held, { ...goal, state: over }, end);
      case "verdict": {
        const handsOff = state.turn?.isDrive === true && this.#parts.handsOff(goal);
        const { state: after, decision } = judge(goal, end.verdict, handsOff);
        const judged: Goal = { ...goal, state: withSpent(after, end.spent) };
        return this.#decide(held, judged, decision, [verdictEvent(judged, { task, decision, ...end })]);
      }
    }
  }

  async #retryCheck(
    held: HeldGoal,
    goal: Goal,
    end: Extract<CheckEnd, { readonly kind: "interrupted" | "failed" }>,
  ): Promise<void> {
    const { state } = goal;
    const interrupted = end.kind === "interrupted";
    const retry = retryOf(state, { interrupted, failed: "verifier_failed", hadEffects: false });
    const news: NewGoalEvent[] = [];
    if (end.kind === "failed")
      news.push({ kind: "verification_failed", task: held.goal.state.verify, reason: end.reason, ...end.spent });
    const charged = end.kind === "failed" ? withSpent(state, end.spent) : state;
    if (retry.kind === "pause") return this.#pause(held, { ...goal, state: charged }, retry.pause, news);
    if (retry.kind === "again" && !this.#parts.settings().enabled)
      return this.#store(held, { ...goal, state: { ...charged, next: "verify" } }, news);
    if (retry.kind === "again")
      return this.#startCheck(held, { ...goal, state: { ...charged, attempt: retry.attempt } }, news);
    const again = { failures: state.failures + 1, retryAt: this.#parts.clock.now() + retry.waitMs };
    return this.#store(held, { ...goal, state: { ...charged, ...again, next: "verify" } }, news);
  }

  async #decide(held: HeldGoal, goal: Goal, decision: Decision, news: readonly NewGoalEvent[]): Promise<void> {
    const { events } = this.#parts;
    if (decision.kind === "end") return this.#end(held, goal, decision, news);
    if (decision.kind === "pause") await this.#pause(held, goal, decision.pause, news);
    else await this.#drive(held, goal, news);
    events.iteration(held.goal);
  }

  async #end(
    held: HeldGoal,
    goal: Goal,
    { status, reason }: Extract<Decision, { readonly kind: "end" }>,
    news: readonly NewGoalEvent[],
  ): Promise<void> {
    const { service, store, clock, events } = this.#parts;
    const ended: Goal = { ...goal, status, finishedAt: clock.now() };
    await service.notify({
      ...{ class: goal.class, context: goal.context, origin: "goal", provenance: { trigger: `goal:${goal.id}` } },
      subject: `(The goal: ${status}.)`,
      text: endText(goal, status, reason),
      wordsFrom: drivesFromOutside(goal) ? "goal" : undefined,
      alongside: () => store.put(ended, [...news, { kind: "ended", status, reason }], clock.now()),
    });
    held.goal = ended;
    this.drop(held);
    events.ended(ended, reason);
  }

  async #pause(
    held: HeldGoal,
    { state, ...goal }: Goal,
    paused: GoalPause,
    news: readonly NewGoalEvent[] = [],
    why?: string,
  ): Promise<void> {
    const none = { drive: undefined, verify: undefined, retryAt: undefined, failures: 0, attempt: 0 };
    const reason = why === undefined ? paused : `${paused}: ${why}`;
    await this.#store(held, { ...goal, state: { ...state, ...none, next: "drive", paused } }, [
      ...news,
      { kind: "paused", reason },
    ]);
  }

  async #store(held: HeldGoal, goal: Goal, news: readonly NewGoalEvent[]): Promise<void> {
    const { db, store, clock, events } = this.#parts;
    await db.commit({ label: "goal.step", statements: store.put(goal, news, clock.now()) });
    held.goal = goal;
    events.changed(goal, "changed");
  }
}
