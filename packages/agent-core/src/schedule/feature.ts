import { middlewareSection } from "../audit/index.ts";
import { defineFeature } from "../feature/index.ts";
import { OpenSchedules } from "./open-schedules.ts";
import type { RunElsewhere } from "./remote-runs.ts";
import { scheduleTools } from "./schedule-tools.ts";
import type { Schedules } from "./schedules.ts";
import type { CheckCondition } from "./slot-firing.ts";

export interface ScheduleFeatureOptions {
  /** Milliseconds until a run is said to be overdue (`SCHEDULER_FIRE_TIMEOUT_S`). */
  readonly overdueMs: number;
  /** Has another service run the slots (`SCHEDULER_INVOKE_URL`); it returns undefined where they are run here. */
  readonly elsewhere: () => RunElsewhere | undefined;
  /** Makes the checks before slots; undefined: jobs with one are refused. */
  readonly check?: CheckCondition;
  /** Called after each change of a job, and of what its list shows of its last run. */
  readonly onChange?: (schedules: Schedules) => void;
}

/** Jobs that start turns by a schedule, and the ledger of their slots. */
export function schedule({ overdueMs, elsewhere, check, onChange }: ScheduleFeatureOptions) {
  return defineFeature({
    name: "schedule",
    sections: [middlewareSection],
    topics: [
      ...["scheduler.changed", "scheduler.fired", "scheduler.finished"],
      ...["scheduler.skipped", "scheduler.missed", "scheduler.overdue"],
    ],
    open(engine, { settings }) {
      const isOn = (): boolean => settings.middleware.scheduler;
      const opened = new OpenSchedules(engine, { isOn, overdueMs: () => overdueMs, elsewhere, check, onChange });
      return {
        opened,
        schedules: opened.schedules,
        tools: scheduleTools({ schedules: opened.schedules, service: engine.service }),
      };
    },
    tools: ({ tools }) => tools,
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
