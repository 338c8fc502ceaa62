/** Background jobs of the service, and what watchers are told of them (document 2; ruling O7). */
import {
  type AgentCore,
  type BackgroundJob,
  BackgroundJobs,
  type Clock,
  Delegations,
  type JobChange,
} from "@agent-service/agent-core";
import type { ServerSettings } from "./sections/index.ts";

/** Characters of a result that watchers are told (reference-shapes.md section 9). */
const TOLD_CHARS = 2_000;

function tell({ bus }: AgentCore, change: JobChange, job: BackgroundJob): void {
  const { id: job_id, status, subagentType: subagent_type, description, session: origin_session } = job;
  const told = { job_id, status, subagent_type, description, origin_session, task_id: job.task ?? null };
  if (change === "started") bus.publish("background.started", told);
  if (change === "completed")
    bus.publish("background.completed", { ...told, result: job.result?.slice(0, TOLD_CHARS) ?? null });
  bus.publish("background.changed", told);
}

/** Whom work can be delegated to, and what is done beside the turn. */
export interface ComposedBackground {
  readonly delegations: Delegations;
  /** Opens the jobs of the store, once; those of a former process go on, or end, by `checkpoint.on_restart`. */
  openJobs(core: AgentCore): Promise<BackgroundJobs>;
  /** Ends and removes the jobs of a session of the operator's that is being deleted (ruling O8). */
  forgetSession(session: string): Promise<void>;
}

/** Delegations and background jobs, from settings (document 3 `subagents`, `background`). */
export function composeBackground(
  settings: ServerSettings,
  { clock, warn }: { readonly clock: Clock; readonly warn: (message: string) => void },
): ComposedBackground {
  const delegations = new Delegations({
    settings: () => settings.subagents,
    auxModel: () => settings.routing.aux_model,
  });
  const opening = Promise.withResolvers<BackgroundJobs>();
  // A turn that a restart took over may call for a job before they are open.
  delegations.serveBackground({
    spawn: async (of, asked) => (await opening.promise).spawn(of, asked),
    stop: async (of, id) => (await opening.promise).stop(of, id),
  });
  return {
    delegations,
    forgetSession: async (session) => (await opening.promise).forget({ class: "operator", session }),
    async openJobs(core) {
      const { db, journal, service } = core;
      const jobs = await BackgroundJobs.open({
        ...{ db, journal, service, clock },
        launch: ({ class: caller, parent: task, call, subagentType: role, ...job }, alongside) => {
          const { context, description, prompt, model, incognito } = job;
          return delegations.start({
            ...{ class: caller, context, origin: "background", role, description, prompt, model, alongside },
            ...{ parent: { task, call }, unattended: true, incognito },
          });
        },
        settings: () => settings.background,
        onRestart: settings.checkpoint.on_restart,
        retentionDays: () => settings.checkpoint.max_age_days,
        onChange: (change, job) => tell(core, change, job),
        log: { warn },
      });
      opening.resolve(jobs);
      return jobs;
    },
  };
}
