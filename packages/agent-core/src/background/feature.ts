import { delegation } from "../delegation/index.ts";
import { defineFeature } from "../feature/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { checkpointSection } from "../task/index.ts";
import { BackgroundJobs } from "./background-jobs.ts";
import { backgroundSection } from "./background-section.ts";

/** Background jobs: work that outlives the turn that spawned it. */
export const background = defineFeature({
  name: "background",
  needs: [delegation],
  topics: ["background.started", "background.completed", "background.changed"],
  sections: [backgroundSection, checkpointSection],
  open({ db, journal, service, clock, bus, log, onRestart }, { needs, settings }) {
    const { delegation } = needs;
    const jobs = new BackgroundJobs({
      ...{ db, journal, service, clock, bus, log, onRestart },
      launch: ({ class: caller, parent: task, call, subagentType: role, ...job }, alongside) => {
        const { context, description, prompt, model, incognito, outside } = job;
        return delegation.start({
          ...{ class: caller, context, origin: "background", role, description, prompt, model, alongside },
          ...{ parent: { task, call }, unattended: true, incognito, outside },
        });
      },
      settings: () => settings.background,
      retentionDays: () => settings.checkpoint.max_age_days,
    });
    delegation.runInBackgroundBy(jobs);
    return jobs;
  },
  recover: (jobs) => jobs.recover(),
  start: (jobs) => jobs.start(),
  forgetSession: (jobs, session) => jobs.forget({ class: OPERATOR_CLASS, session }),
  quiesce: (jobs) => jobs.close(),
});
