import { mapTexts } from "../redaction/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { GOAL_LIMITS, type Goal } from "./goal.ts";
import type { GoalsParts } from "./goals-parts.ts";

/** Changes texts of the goals of these sessions, and of what happened to them (K12). @throws DatabaseError */
export async function rewriteGoals(
  { held: all, store, db, clock }: Pick<GoalsParts, "held" | "store" | "db" | "clock">,
  contexts: readonly string[],
  rewrite: (text: string) => string,
): Promise<void> {
  for (const context of contexts)
    await all.lock(context, async () => {
      const held = all.get(context);
      const goal = held?.goal ?? (await store.read({ class: OPERATOR_CLASS, context }));
      if (goal === undefined) return;
      const events = await store.events(goal.id, { limit: GOAL_LIMITS.events });
      const changed = events.map((event) => mapTexts(event, rewrite));
      const { spec, state, plan } = goal;
      const next: Goal = {
        ...goal,
        ...{ plan: rewrite(plan), spec: mapTexts(spec, rewrite), state: mapTexts(state, rewrite) },
      };
      if (JSON.stringify([goal, events]) === JSON.stringify([next, changed])) return;
      const rewritten = changed.map((event) => store.rewrite(goal.id, event));
      await db.commit({ label: "goal.rewrite", statements: [...store.put(next, [], clock.now()), ...rewritten] });
      if (held !== undefined) held.goal = next;
    });
}
