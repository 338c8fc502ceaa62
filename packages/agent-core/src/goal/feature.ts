import { defineFeature, featureKey } from "../feature/index.ts";
import { routingSection } from "../model/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { checks } from "../verifier/index.ts";
import type { Watches } from "../watch/index.ts";
import type { Goal } from "./goal.ts";
import { GoalChecks } from "./goal-checks.ts";
import { goalCommands } from "./goal-command.ts";
import { GoalDrives } from "./goal-drives.ts";
import { goalEvents } from "./goal-events.ts";
import { goalSection } from "./goal-section.ts";
import { GoalStore } from "./goal-store.ts";
import { goalTools } from "./goal-tools.ts";
import { Goals } from "./goals.ts";
import type { GoalsParts } from "./goals-parts.ts";
import { HeldGoals } from "./held-goals.ts";
import { rewriteGoals } from "./rewrite-goals.ts";
import { SessionTurns } from "./session-turns.ts";
import { workingGoal } from "./working-goal.ts";

export interface GoalFeatureOptions {
  /** Called after each change of a goal; `isGone`: it was removed. */
  readonly onChange?: (goal: Goal, isGone: boolean) => void;
}

const watching = featureKey<"watch", { readonly watches: Pick<Watches, "list"> }>("watch");

/** Conditions that the agent works towards by itself, until a check says that they hold. */
export function goal({ onChange = () => {} }: GoalFeatureOptions = {}) {
  return defineFeature({
    name: "goal",
    category: "goals",
    needs: [checks, watching],
    sections: [goalSection, routingSection],
    topics: ["goal.changed", "goal.iteration", "goal.round_cap", "goal.met", "goal.failed"],
    open(engine, { needs, settings }) {
      const { db, journal, service, clock, log, bus, redactor, newId, timers } = engine;
      const { verification: verifiers, watch } = needs;
      const held = new HeldGoals();
      const store = new GoalStore(db);
      const goalChecks = new GoalChecks({
        ...{ db, service, redactor, journal, clock, verifiers, goals: held, newId },
        timeoutS: () => settings.goal.verify_timeout,
        judgeModel: () => settings.goal.eval_model || settings.routing.aux_model || undefined,
      });
      const parts: GoalsParts = {
        ...{ db, journal, service, clock, log, newId, store, held, verifiers },
        ...{ checks: goalChecks, turns: new SessionTurns(db), toolbox: () => engine.toolbox },
        settings: () => settings.goal,
        handsOff: ({ class: of, context }) =>
          timers.ofContext({ class: of, context }).length > 0 ||
          watch.watches
            .list()
            .some(({ watch: { status, context: session } }) => status === "active" && session === context),
        events: goalEvents(bus, (text) => redactor.text(text), onChange),
      };
      const drives = new GoalDrives(parts);
      const goals = new Goals(parts, drives);
      const rewrite = (contexts: readonly string[], how: (text: string) => string) =>
        rewriteGoals(parts, contexts, how);
      return { goals, drives, rewrite, tools: goalTools({ goals, verifiers }) };
    },
    tools: ({ tools }) => tools,
    commands: ({ goals }) => goalCommands(goals),
    workingState({ goals }, { context }) {
      const active = goals.isOn ? goals.activeIn(context) : undefined;
      return active && workingGoal(active);
    },
    roles: ({ drives }) => drives.roles(),
    onCommit: ({ drives }, view) => drives.onCommit(view),
    recover: ({ drives }) => drives.recover(),
    start: ({ drives }) => drives.start(),
    async forgetSession({ goals }, session, retired) {
      if (retired) await goals.clear(session);
    },
    async rewriteTexts({ rewrite: change }, { conversations, rewrite }) {
      const own = conversations.filter(({ class: of }) => of === OPERATOR_CLASS);
      await change(
        own.map(({ context }) => context),
        rewrite,
      );
    },
    quiesce: ({ drives }) => drives.stop(),
  });
}
