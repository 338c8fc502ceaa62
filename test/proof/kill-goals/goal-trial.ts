/** One trial of goals: a service whose time runs 60 times as fast is killed, and every turn and verdict is accounted for. */
import { startPages } from "../kill-watches/proof-watch.ts";
import { type LabelledTrials, runLabelledTrial } from "../labelled-trial.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { checkGoals } from "./check-goals.ts";
import { knownOf, lookAt, workOnGoals } from "./goal-clients.ts";
import { drawGoals } from "./proof-goal.ts";

const TRIALS: LabelledTrials = {
  name: "goals",
  settings: "egress:\n  allowed_hosts: ['127.0.0.1']\n",
  mostKills: 4,
  complaint: /\b(error|stack)\b|could not/i,
  moments: {
    shares: { booting: 0.08, serving: 0.12, tool: 0.1 },
    serving: [50, 2_000],
    tools: 6,
    /** The commits of goals, and those that accept what follows from a verdict with its row. */
    labels: [
      "task.accept",
      "task.notice",
      "turn.close",
      "goal.set",
      "goal.step",
      "goal.clear",
      "goal.extend",
      "goal.note",
    ],
    frequent: { labels: new Set(["task.accept", "turn.close", "goal.step"]), most: 20 },
  },
  async open({ random, ledger }) {
    const known = drawGoals(random.fork("goals"), random.int(3, 6)).map(knownOf);
    const pages = await startPages();
    const look = async (url: string): Promise<void> => {
      for (const one of known) await lookAt(one, { url, ledger, pages });
    };
    return {
      ...{ before: look, after: look, close: pages.close },
      acknowledged: () => known.filter(({ made }) => made === "yes").length,
      prepare: (_, own) => ({ work: (url) => workOnGoals(known, { url, ledger, pages }, own) }),
      check: (file, deeds) => ({ ...checkGoals(file, { known, deeds, ledger }) }),
    };
  },
};

/** Runs the trial of a seed. */
export function runGoalTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  return runLabelledTrial(seed, context, TRIALS);
}
