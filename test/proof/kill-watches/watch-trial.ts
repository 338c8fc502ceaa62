/** One trial of watches: a service whose time runs 60 times as fast is killed, and every fire is accounted for. */
import { type LabelledTrials, runLabelledTrial } from "../labelled-trial.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { checkWatches } from "./check-watches.ts";
import { drawWatches, startPages } from "./proof-watch.ts";
import { knownOf, lookAt, see, type WatchWork, workOnWatches } from "./watch-clients.ts";

/** Checks of the last life: more than a watch needs to be reported as unchanged. */
const LAST_CHECKS = 5;

const TRIALS: LabelledTrials = {
  name: "watches",
  // A watch is checked twelve times in a second of the machine.
  settings: "watches:\n  interval: 5\negress:\n  allowed_hosts: ['127.0.0.1']\n",
  mostKills: 4,
  // A limit of time is a sixtieth as long here, which a busy machine exceeds.
  complaint: /^(?!.*it takes too long).*(\b(error|stack)\b|could not)/i,
  moments: {
    shares: { booting: 0.08, serving: 0.12, tool: 0.08 },
    serving: [50, 2_000],
    tools: 4,
    /** The commits of watches, and those that accept what a fire starts with its row. */
    labels: [
      ...["task.accept", "task.notice", "watch.create", "watch.change", "watch.clear"],
      ...["watch.edge", "watch.count", "watch.reaction", "watch.counters"],
    ],
    frequent: { labels: new Set(["task.accept", "task.notice", "watch.edge", "watch.reaction"]), most: 10 },
  },
  async open({ random, ledger }) {
    const known = drawWatches(random.fork("watches"), random.int(5, 8)).map(knownOf);
    const pages = await startPages();
    const workOf = (url: string): WatchWork => ({ url, ledger, pages });
    const look = async (url: string): Promise<void> => {
      for (const one of known) await lookAt(one, workOf(url));
    };
    return {
      ...{ after: look, close: pages.close },
      acknowledged: () => known.filter(({ made }) => made === "yes").length,
      prepare: (_, own) => ({ work: (url) => workOnWatches(known, workOf(url), own) }),
      /** Every watch is known as it is, and sees its page as it is. */
      async before(url) {
        await look(url);
        const there = known.filter(({ made, removed }) => made === "yes" && removed === "no");
        for (let i = 0; i < LAST_CHECKS; i++) for (const one of there) if (!one.ended) await see(one, workOf(url));
      },
      check: (file, deeds) => ({ ...checkWatches(file, { known, deeds, ledger }) }),
    };
  },
};

/** Runs the trial of a seed. */
export function runWatchTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  return runLabelledTrial(seed, context, TRIALS);
}
