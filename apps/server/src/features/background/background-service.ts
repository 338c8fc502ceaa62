/** Background jobs for the operator API. */
import {
  BackgroundError,
  type BackgroundJob,
  type BackgroundJobs,
  type EventBus,
} from "@agent-service/agent-core/host";
import type { BackgroundService, JobRow } from "@agent-service/operator-api";

/** Maximum characters of a result in a list. */
const LISTED_CHARS = 2_000;

export interface BackgroundServiceParts {
  readonly jobs: BackgroundJobs;
  /** Whether a task waits for a person, itself or by what it delegated. */
  readonly waits: (task: string) => Promise<boolean>;
  /** Called when jobs were cleared; other changes publish events themselves (O7). */
  readonly bus: EventBus;
  readonly agentName: string;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
}

const iso = (at: number): string => new Date(at).toISOString();

/** Background jobs for the operator: those of every caller class. */
export function backgroundService({ jobs, waits, bus, agentName, redact }: BackgroundServiceParts): BackgroundService {
  const rowOf = async (job: BackgroundJob, chars = Number.POSITIVE_INFINITY): Promise<JobRow> => {
    const waiting = job.status === "running" && job.task !== undefined && (await waits(job.task));
    const { result, startedAt, finishedAt } = job;
    return {
      id: job.id,
      agent_name: agentName,
      origin_session: job.session,
      subagent_type: job.subagentType,
      description: redact(job.description),
      status: job.status,
      // Redacted whole: a cut may split a secret.
      result: result === undefined ? null : redact(result).slice(0, chars),
      result_truncated: (result?.length ?? 0) > chars,
      notified: job.deliveredAt !== undefined,
      created_at: iso(job.createdAt),
      started_at: startedAt === undefined ? null : iso(startedAt),
      completed_at: finishedAt === undefined ? null : iso(finishedAt),
      a2a_task_id: job.task ?? null,
      origin_task_id: job.parent,
      delivery_task_id: job.delivery ?? null,
      origin_incognito: job.incognito,
      waiting,
      batch_id: job.parent,
      dismissed: job.dismissed,
      deterministic: false,
    };
  };
  return {
    enabled: () => true,
    async list(filter) {
      const page = await jobs.list(filter);
      return Promise.all(
        page.map(async (job) => ({
          row: job.incognito
            ? { ...(await rowOf({ ...job, description: "" }, 0)), result: null }
            : await rowOf(job, LISTED_CHARS),
          position: { createdAt: job.createdAt, id: job.id },
        })),
      );
    },
    async read(id) {
      const job = await jobs.get(id);
      return job === undefined ? undefined : rowOf(job);
    },
    async cancel(id) {
      const canceled = await jobs.cancel(id);
      return canceled === undefined ? undefined : { ok: canceled.ok, status: canceled.job.status };
    },
    async clear(session) {
      const cleared = await jobs.clear(session);
      if (cleared > 0) bus.publish("background.changed", { origin_session: session ?? null, cleared });
      return cleared;
    },
    async delete(id) {
      try {
        return (await jobs.delete(id)) ? "deleted" : "unknown";
      } catch (error) {
        if (error instanceof BackgroundError && error.code === "still_running") return "running";
        throw error;
      }
    },
  };
}
