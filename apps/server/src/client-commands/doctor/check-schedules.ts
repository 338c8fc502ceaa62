/** Checks of scheduled jobs, as the running service has them. */
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";

const about = "schedules";
/** Jobs that are looked at. */
const MOST = 500;

/** What is looked at of a job. */
export interface KnownJob {
  readonly id: string;
  readonly enabled: boolean;
  readonly pause_reason: string | null;
  readonly failures: number;
  readonly overdue: boolean;
}

export async function checkSchedules({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  const { enabled, jobs } = await api.get("/api/scheduler/jobs", { query: { limit: MOST } });
  for (const finding of scheduleFindings(enabled, jobs)) report(finding);
}

/** What to say of scheduled jobs; nothing where there are none. */
export function scheduleFindings(enabled: boolean, jobs: readonly KnownJob[]): readonly Finding[] {
  if (jobs.length === 0) return [];
  const on = jobs.filter((job) => job.enabled).length;
  const counted: Finding = { state: "ok", about, text: `${jobs.length} jobs, ${on} on` };
  const off: Finding = { state: "warning", about, text: `${jobs.length} jobs, and schedules are switched off` };
  return [
    enabled ? counted : { ...off, remedy: "agent-service config set middleware.scheduler=true" },
    ...jobs.flatMap((job): Finding[] => {
      const { id } = job;
      const runs = `agent-service schedules runs ${id} has the reasons`;
      if (job.pause_reason === "failing")
        return [{ state: "warning", about, text: `${id} is paused: ${job.failures} slots failed`, remedy: runs }];
      if (job.overdue) return [{ state: "warning", about, text: `a run of ${id} takes longer than expected` }];
      return job.failures > 0 ? [{ state: "warning", about, text: `the last slot of ${id} failed`, remedy: runs }] : [];
    }),
  ];
}
