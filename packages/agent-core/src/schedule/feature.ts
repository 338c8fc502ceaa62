import { middlewareSection } from "../audit/index.ts";
import { defineFeature, featureKey } from "../feature/index.ts";
import type { Verifiers } from "../verifier/index.ts";
import { JobConditions } from "./job-conditions.ts";
import { OpenSchedules } from "./open-schedules.ts";
import type { RunElsewhere } from "./remote-runs.ts";
import { scheduleTools } from "./schedule-tools.ts";
import type { Schedules } from "./schedules.ts";

export interface ScheduleFeatureOptions {
  /** Milliseconds until a run is said to be overdue (`SCHEDULER_FIRE_TIMEOUT_S`). */
  readonly overdueMs: number;
  /** Has another service run the slots (`SCHEDULER_INVOKE_URL`); it returns undefined where they are run here. */
  readonly elsewhere: () => RunElsewhere | undefined;
  /** Called after each change of a job, and of what its list shows of its last run. */
  readonly onChange?: (schedules: Schedules) => void;
}

const verification = featureKey<"verification", Pick<Verifiers, "prepare" | "check">>("verification");

/** Jobs that start turns by a schedule, and the ledger of their slots. */
export function schedule({ overdueMs, elsewhere, onChange }: ScheduleFeatureOptions) {
  return defineFeature({
    name: "schedule",
    needs: [verification],
    sections: [middlewareSection],
    topics: [
      ...["scheduler.changed", "scheduler.fired", "scheduler.finished"],
      ...["scheduler.skipped", "scheduler.missed", "scheduler.overdue"],
    ],
    open(engine, { needs, settings }) {
      const conditions = new JobConditions(needs.verification);
      const isOn = (): boolean => settings.middleware.scheduler;
      const opened = new OpenSchedules(engine, { isOn, overdueMs: () => overdueMs, elsewhere, conditions, onChange });
      return {
        opened,
        schedules: opened.schedules,
        tools: scheduleTools({ schedules: opened.schedules, service: engine.service }),
      };
    },
    tools: ({ tools }) => tools,
    workingState: ({ opened, schedules }, ask) => (schedules.isOn ? opened.workingState(ask) : undefined),
    timers: ({ opened }) => ({ schedule: (timer, settle) => opened.fire(timer, settle) }),
    recover: ({ opened }) => opened.recover(),
    start: ({ opened }) => opened.start(),
    tick: ({ opened }) => opened.tick(),
    sweep: ({ schedules }, now) => schedules.sweep(now),
    async forgetSession({ schedules }, session, retired) {
      if (retired) await schedules.forgetSession(session);
    },
    quiesce: ({ opened }) => opened.stop(),
  });
}
