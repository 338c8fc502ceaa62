/** The goals of a service (G12 to G17). */
import type { Statement } from "../database/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { GOAL_LIMITS, type Goal, type GoalEvent, type GoalStatus, type NewGoalEvent, UNDRIVEN } from "./goal.ts";
import type { GoalDrives } from "./goal-drives.ts";
import { GoalError } from "./goal-error.ts";
import { goalOf, type NewGoal } from "./goal-request.ts";
import type { GoalPlace } from "./goal-store.ts";
import type { GoalsParts } from "./goals-parts.ts";
import type { HeldGoal } from "./held-goals.ts";

/** How work on a goal that is set begins: with a turn, with the turn that sets it, or later. */
export type Kick =
  | { readonly kind: "turn" }
  | { readonly kind: "within"; readonly task: string }
  | { readonly kind: "later" };

export interface SetGoal {
  readonly goal: Goal;
  /** It came in the place of another. */
  readonly replaced: boolean;
  readonly kicked: boolean;
}

/** Sets, reads and changes goals. All promises resolve after the commit. */
export class Goals {
  readonly #parts: GoalsParts;
  readonly #drives: GoalDrives;

  constructor(parts: GoalsParts, drives: GoalDrives) {
    this.#parts = parts;
    this.#drives = drives;
  }

  /** Whether goals are driven. */
  get isOn(): boolean {
    return this.#parts.settings().enabled;
  }

  /** Active goals. */
  get count(): number {
    return this.#parts.held.size;
  }

  /** When something that failed is tried again; undefined: nothing waits. Epoch milliseconds. */
  get nextDueAt(): number | undefined {
    const due = this.#parts.held
      .all()
      .flatMap(({ goal: { state } }) => (state.paused === undefined ? (state.retryAt ?? []) : []));
    return due.length === 0 || !this.isOn ? undefined : Math.min(...due);
  }

  /** Newest first. @throws DatabaseError */
  async list(page: {
    readonly after?: GoalPlace | undefined;
    readonly status?: GoalStatus | undefined;
    readonly limit: number;
  }): Promise<readonly Goal[]> {
    const { after, status, limit } = page;
    const rows = await this.#parts.store.list({ after, status, limit });
    // In memory may be what a commit that is being written holds.
    return rows.map((goal) => this.#parts.held.get(goal.context)?.goal ?? goal);
  }

  /** The goal of a session. @throws DatabaseError */
  async get(context: string): Promise<Goal | undefined> {
    return this.#parts.held.get(context)?.goal ?? this.#parts.store.read({ class: OPERATOR_CLASS, context });
  }

  /** The active goal of a session. */
  activeIn(context: string): Goal | undefined {
    return this.#parts.held.get(context)?.goal;
  }

  /** Newest first. @throws GoalError no_goal @throws DatabaseError */
  async timeline(
    context: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly GoalEvent[]> {
    return this.#parts.store.events((await this.#known(context)).id, page);
  }

  /** The last verdicts of a goal, oldest first. @throws DatabaseError */
  async verdicts({ id }: Goal, limit: number): Promise<readonly GoalEvent[]> {
    return (await this.#parts.store.events(id, { kind: "verdict", limit })).toReversed();
  }

  /**
   * Sets the goal of a session in the place of the one it has, whose work is canceled. Set again by the same call, it is the
   * same goal. @throws GoalError off, invalid, refused, too_many @throws TaskError @throws DatabaseError
   */
  async set(asked: NewGoal, kick: Kick): Promise<SetGoal> {
    const { verifiers, settings, newId, clock, held: all, store, db, events } = this.#parts;
    this.#requireOn();
    const goal = await goalOf(asked, { verifiers, settings: settings(), id: newId(), now: clock.now() });
    return all.lock(goal.context, async () => {
      const before = await this.get(goal.context);
      if (before?.spec.originCall !== undefined && before.spec.originCall === asked.originCall)
        return { goal: before, replaced: false, kicked: before.state.drive !== undefined };
      this.#requireRoom(goal, before);
      const within = kick.kind === "within" ? kick.task : undefined;
      if (before !== undefined) await this.#cancel(before, within);
      const gone = before === undefined ? [] : store.remove(before);
      const news: NewGoalEvent[] = [{ kind: "set", text: goal.spec.condition }];
      let made = goal;
      if (kick.kind === "turn") made = await this.#drives.begin(goal, news, { before: gone });
      else {
        const paused = within === undefined ? ("kick" as const) : undefined;
        made = {
          ...goal,
          state: { ...goal.state, drive: within, next: within === undefined ? "drive" : "verify", paused },
        };
        await db.commit({ label: "goal.set", statements: [...gone, ...store.put(made, news, clock.now())] });
      }
      this.#replace(made);
      events.changed(made, "set");
      return { goal: made, replaced: before !== undefined, kicked: kick.kind === "turn" };
    });
  }

  /**
   * Takes up a goal that has ended, its counters at zero; gives an active one more iterations. `request`: asked again by the
   * same one, nothing is added. @throws GoalError off, no_goal, invalid, too_high, too_many
   */
  async rearm(
    context: string,
    { add = 0, request }: { readonly add?: number | undefined; readonly request?: string | undefined },
  ): Promise<{ readonly goal: Goal; readonly resumed: boolean; readonly kicked: boolean }> {
    const { held: all, store, db, clock, events } = this.#parts;
    this.#requireOn();
    return all.lock(context, async () => {
      const goal = await this.#known(context);
      if (request !== undefined && goal.state.rearmedBy === request)
        return { goal, resumed: false, kicked: goal.state.drive !== undefined };
      const maxIterations = goal.state.maxIterations + add;
      if (maxIterations > GOAL_LIMITS.iterations)
        throw new GoalError("too_high", `a goal has at most ${GOAL_LIMITS.iterations} iterations`);
      if (goal.status === "active") {
        if (add === 0) throw new GoalError("invalid", "the goal is active: say how many iterations to add");
        const next = { ...goal, state: { ...goal.state, maxIterations, rearmedBy: request } };
        const news: NewGoalEvent[] = [{ kind: "extended", text: String(add) }];
        await db.commit({ label: "goal.extend", statements: store.put(next, news, clock.now()) });
        this.#change(next);
        events.changed(next, "changed");
        return { goal: next, resumed: false, kicked: false };
      }
      this.#requireRoom(goal, undefined);
      const { tokens, usd, planOutside, turn } = goal.state;
      const state = { ...UNDRIVEN, maxIterations, tokens, usd, planOutside, turn, rearmedBy: request };
      const again: Goal = { ...goal, state, status: "active", finishedAt: undefined };
      const next = await this.#drives.begin(again, [{ kind: "rearmed" }]);
      this.#replace(next);
      events.changed(next, "changed");
      return { goal: next, resumed: true, kicked: true };
    });
  }

  /** Goes on with an active goal. False: it is worked on already. @throws GoalError off, not_active */
  async resume(context: string): Promise<boolean> {
    const { held: all, events } = this.#parts;
    this.#requireOn();
    return all.lock(context, async () => {
      const held = all.get(context);
      if (held === undefined) throw new GoalError("not_active", "the session has no active goal");
      const { state } = held.goal;
      if (state.drive !== undefined || state.verify !== undefined) return false;
      const again = { ...held.goal, state: { ...state, failures: 0, attempt: 0 } };
      held.goal = await this.#drives.begin(again, [{ kind: "resumed" }]);
      events.changed(held.goal, "changed");
      this.#drives.trigger.wake();
      return true;
    });
  }

  /** Removes the goal of a session and cancels what works on it. False: there is none. @throws DatabaseError */
  async clear(context: string): Promise<boolean> {
    const { held: all, store, db, events } = this.#parts;
    return all.lock(context, async () => {
      const goal = await this.get(context);
      if (goal === undefined) return false;
      await this.#cancel(goal);
      await db.commit({ label: "goal.clear", statements: store.remove(goal) });
      const held = all.get(context);
      if (held !== undefined) this.#drives.drop(held);
      events.changed(goal, "removed");
      return true;
    });
  }

  /** Keeps the agent's plan. @throws GoalError not_active, invalid */
  async plan(context: string, plan: string, { outside }: { readonly outside: boolean }): Promise<Goal> {
    if (Buffer.byteLength(plan) > GOAL_LIMITS.plan)
      throw new GoalError("invalid", `a plan has at most ${GOAL_LIMITS.plan} bytes`);
    return this.#note(context, (goal) => {
      if (goal.plan === plan) return undefined;
      const next = { ...goal, plan, state: { ...goal.state, planOutside: outside && plan !== "" } };
      return { next, news: { kind: "plan", text: plan } };
    });
  }

  /** Notes why the agent gives up: it counts once its turn has ended and the check has not found the goal met. */
  async abandon(context: string, reason: string): Promise<Goal> {
    return this.#note(context, (goal) => {
      if (goal.state.abandon === reason) return undefined;
      return { next: { ...goal, state: { ...goal.state, abandon: reason } }, news: { kind: "abandoned", reason } };
    });
  }

  #requireOn(): void {
    if (!this.isOn) throw new GoalError("off", "goals are switched off (goal.enabled)");
  }

  async #known(context: string): Promise<Goal> {
    const goal = await this.get(context);
    if (goal === undefined) throw new GoalError("no_goal", "the session has no goal");
    return goal;
  }

  #requireRoom({ spec }: Goal, before: Goal | undefined): void {
    const active = this.#parts.held.all().filter(({ goal }) => goal.id !== before?.id);
    const ofAgent = active.filter(({ goal }) => goal.spec.createdBy === "agent").length;
    if (active.length >= GOAL_LIMITS.active || (spec.createdBy === "agent" && ofAgent >= GOAL_LIMITS.ofAgent))
      throw new GoalError("too_many", "there are as many active goals as there may be: clear some");
  }

  /** Cancels what works on a goal, the turn `but` aside. */
  async #cancel({ status, state: { drive, verify } }: Goal, but?: string): Promise<void> {
    const { service } = this.#parts;
    if (status !== "active") return;
    for (const task of [drive, verify])
      if (task !== undefined && task !== but && (await service.get(task)) !== undefined) await service.cancel(task);
  }

  #replace(goal: Goal): void {
    const before = this.#parts.held.get(goal.context);
    if (before !== undefined) this.#drives.drop(before);
    this.#drives.follow({ goal, completed: undefined });
    this.#drives.trigger.wake();
  }

  #change(goal: Goal): HeldGoal | undefined {
    const held = this.#parts.held.get(goal.context);
    if (held !== undefined) held.goal = goal;
    return held;
  }

  async #note(
    context: string,
    note: (goal: Goal) => { readonly next: Goal; readonly news: NewGoalEvent } | undefined,
  ): Promise<Goal> {
    const { held: all, store, db, clock, events } = this.#parts;
    return all.lock(context, async () => {
      const held = all.get(context);
      if (held === undefined) throw new GoalError("not_active", "this conversation has no active goal");
      const noted = note(held.goal);
      if (noted === undefined) return held.goal;
      const statements: readonly Statement[] = store.put(noted.next, [noted.news], clock.now());
      await db.commit({ label: "goal.note", statements });
      held.goal = noted.next;
      events.changed(held.goal, "changed");
      return held.goal;
    });
  }
}
