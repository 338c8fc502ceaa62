/** One trial of jobs by a schedule: a service whose time runs 60 times as fast is killed, and every slot is accounted for. */
import { existsSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { commandSettings } from "../commands-of-trial.ts";
import { steadyClock } from "../fast-clock.ts";
import type { KillMoment } from "../kill-moment.ts";
import { type LabelledTrials, runLabelledTrial, SPEED } from "../labelled-trial.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { checkSlotLedger } from "./check-slots.ts";
import { change, type JobWork, type KnownJob, knownOf, lookAt, make, workOnJobs } from "./job-clients.ts";
import { type OtherService, startOtherService } from "./other-service.ts";
import { switchSchedules, switchThemOften } from "./schedule-switch.ts";
import { drawScheduledJobs } from "./scheduled-job.ts";

/** Milliseconds for slots, their retries and what is caught up, before the jobs are switched off in the end. */
const LAST_MS = 2_500;

const TRIALS: LabelledTrials = {
  name: "slots",
  settings: commandSettings(false),
  mostKills: 3,
  // A limit of time is a sixtieth as long here, which a busy machine exceeds; what is refused on purpose is said.
  complaint: /^(?!.*it takes too long).*(\b(error|stack)\b|could not)/i,
  moments: {
    shares: { booting: 0.1, serving: 0.1, tool: 0.1 },
    serving: [50, 3_000],
    tools: 4,
    /** The commits of schedules, and those that a slot's turn begins and ends with, with its row. */
    labels: [
      ...[
        "task.accept",
        "turn.close",
        "schedule.put",
        "schedule.remove",
        "schedule.end",
        "schedule.missed",
        "schedule.skipped",
      ],
      ...["schedule.queued", "schedule.boot", "schedule.waits", "schedule.send", "schedule.off", "schedule.switch"],
      "schedule.rearm",
    ],
    frequent: { labels: new Set(["task.accept", "turn.close", "schedule.put", "schedule.send"]), most: 8 },
    later: new Set(["schedule.boot", "schedule.rearm"]),
  },
  async open({ random, folder, ledger }) {
    const known = drawScheduledJobs(random.fork("jobs"), random.int(5, 9), "flag.txt").map(knownOf);
    const isElsewhere = random.chance(0.2);
    const other = await startOtherService(String(random.next()), ledger);
    const workOf = (url: string, mayBeOff: boolean): JobWork => {
      const clock = steadyClock(folder.epoch, SPEED);
      const setFlag = (works: boolean): void =>
        writeFileSync(`${folder.home}/workspace/flag.txt`, works ? "work" : "nothing");
      return { url, ledger, now: () => clock.now(), setFlag, mayBeOff };
    };
    let mayBeOff = false;
    return {
      acknowledged: () => known.filter(({ made }) => made === "yes").length,
      prepare(moment, own) {
        const is = (...labels: readonly string[]): boolean => isAt(moment, labels);
        if (is("schedule.rearm") || own.chance(0.1)) ageZones(`${folder.root}/agent.db`);
        const switches = is("schedule.off", "schedule.switch") || own.chance(0.1);
        mayBeOff ||= switches;
        const wasOff = mayBeOff;
        setVariables(folder.variables, {
          refuses: is("schedule.waits") || own.chance(0.1),
          other: is("schedule.send") || own.chance(isElsewhere ? 0.8 : 0.05) ? other : undefined,
        });
        return {
          async work(url) {
            const all = [workOnJobs(known, workOf(url, wasOff), own)];
            if (switches) all.push(switchThemOften(url, own.fork("switch"), ledger));
            await Promise.all(all);
          },
        };
      },
      prepareLast: () => setVariables(folder.variables, { refuses: false, other: isElsewhere ? other : undefined }),
      async before(url) {
        await switchSchedules(url, true, ledger);
        await runDueJobs(known, workOf(url, false));
      },
      async after(url) {
        for (const one of known) await lookAt(one, workOf(url, false));
      },
      close: other.close,
      check: (file, deeds) => ({ ...checkSlotLedger(file, { known, deeds, ledger, there: other.runs }) }),
    };
  },
};

function isAt(moment: KillMoment, labels: readonly string[]): boolean {
  return moment.kind === "self" && moment.self.label !== undefined && labels.includes(moment.self.label);
}

/** What of a life is not as in others: slots that are refused at first, and another service that runs them. */
function setVariables(
  variables: { [name: string]: string },
  { refuses, other }: { readonly refuses: boolean; readonly other: OtherService | undefined },
): void {
  variables.PROOF_REFUSED_SLOTS = refuses ? "2" : "0";
  variables.SCHEDULER_INVOKE_URL = other?.url ?? "";
}

/** The slots were found with another table of time zones than the next process has. */
function ageZones(file: string): void {
  if (!existsSync(file)) return;
  const db = new DatabaseSync(file);
  try {
    const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schedule_job'").get();
    if (isThere !== undefined) db.exec("UPDATE schedule_job SET tz_version = '2020a'");
  } finally {
    db.close();
  }
}

/** What is due runs, then every job is switched off. */
async function runDueJobs(known: readonly KnownJob[], work: JobWork): Promise<void> {
  for (const one of known) await lookAt(one, work);
  // On a slow machine every life may have ended before it was asked for a job.
  for (const one of known) if (one.made === "no") await make(one, work);
  const there = known.filter(({ made, removed }) => made === "yes" && removed !== "yes");
  for (const one of there) await change(one, work, { enabled: true });
  await sleep(LAST_MS);
  for (const one of there) await change(one, work, { enabled: false });
}

/** Runs the trial of a seed. */
export function runScheduleTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  return runLabelledTrial(seed, context, TRIALS);
}
