/** Scheduled jobs for the operator API. */
import {
  JobError,
  type JobErrorCode,
  type ScheduledJob,
  type Schedules,
  type ShownJob,
  type SlotRun,
} from "@agent-service/agent-core/host";
import { Problem, type ScheduledJobRow, type SchedulerService, type SlotRunRow } from "@agent-service/operator-api";
import { asSentence } from "../../surfaces/operator/index.ts";

export interface SchedulerServiceParts {
  readonly schedules: Schedules;
  readonly agentName: string;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const STATUS: { readonly [code in JobErrorCode]: number } = {
  ...{ invalid: 400, taken: 400, refused: 403, unknown_job: 404, too_many: 409, running: 409, off: 503 },
};
const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

/** Jobs and runs as rows of the API. */
export function jobRows({ schedules, agentName, redact }: Omit<SchedulerServiceParts, "now">) {
  const runRow = (run: SlotRun): SlotRunRow => ({
    ...{ slot: iso(run.slot), attempt: run.attempt, state: run.state },
    reason: run.reason === undefined ? null : redact(run.reason),
    task_id: run.task ?? null,
    ...{ due_at: iso(run.dueAt), started_at: isoOrNull(run.startedAt), ended_at: isoOrNull(run.endedAt) },
    ...{ upto: isoOrNull(run.upto), missed: run.missed ?? null },
  });
  const rowOf = ({ job, nextFire, last, overdue }: ShownJob): ScheduledJobRow => ({
    ...{ id: job.id, prompt: redact(job.prompt), schedule: job.schedule, kind: job.kind, timezone: job.timezone },
    ...{ words: schedules.wordsOf(job.id), enabled: job.enabled, pause_reason: job.pauseReason ?? null },
    ...{ agent_name: agentName, context_id: job.context, fresh: job.fresh, overlap: job.overlap },
    ...{ catch_up_s: job.catchUpS, jitter_s: job.jitterS, retries: job.retries },
    only_if: job.onlyIf === undefined ? null : { ...job.onlyIf },
    ...{ created_by: job.createdBy, created_at: iso(job.createdAt), updated_at: iso(job.updatedAt) },
    ...{ next_fire: isoOrNull(nextFire), last_fire: isoOrNull(last?.startedAt) },
    last_run: last === undefined ? null : runRow(last),
    ...{ failures: job.failures, overdue, workflow: null, budget: null },
  });
  return { runRow, rowOf };
}

export function schedulerService({ schedules, agentName, redact, now }: SchedulerServiceParts): SchedulerService {
  const { rowOf, runRow } = jobRows({ schedules, agentName, redact });
  const positionOf = ({ job, nextFire }: ShownJob) => ({ due: nextFire ?? Number.MAX_SAFE_INTEGER, id: job.id });
  const known = (id: string): ShownJob => schedules.get(id) ?? refuse(404, "There is no such job.");
  return {
    enabled: () => schedules.isOn,
    list({ limit, after }) {
      const isAfter = (shown: ShownJob): boolean => {
        if (after === undefined) return true;
        const { due, id } = positionOf(shown);
        return due > after.due || (due === after.due && id > after.id);
      };
      const page = schedules.list().filter(isAfter).slice(0, limit);
      return page.map((shown) => ({ row: rowOf(shown), position: positionOf(shown) }));
    },
    read: (id) => rowOf(known(id)),
    async create({ job_id, context_id, workflow: _workflow, budget: _budget, ...body }, key) {
      const { prompt, schedule, timezone, enabled } = body;
      const asked = { prompt, schedule, timezone, enabled, ...policiesOf(body), id: job_id, context: context_id };
      const made = { createdBy: "operator", originCall: key?.key };
      return rowOf(await schedules.create({ ...asked, ...made }).catch(refused));
    },
    async edit(id, { workflow: _workflow, budget: _budget, ...body }) {
      const { prompt, schedule, timezone, enabled } = body;
      const change = { prompt, schedule, timezone, enabled, ...policiesOf(body) };
      return rowOf(await schedules.update(id, change).catch(refused));
    },
    async remove(id) {
      if (!(await schedules.remove(id))) refuse(404, "There is no such job.");
    },
    async runs(id, page) {
      const found = (await schedules.runs(id, page)) ?? refuse(404, "There is no such job.");
      return found.map((run) => ({ row: runRow(run), position: { slot: run.slot, attempt: run.attempt } }));
    },
    run: async (id, key) => runRow(await schedules.run(id, key && askedBy(key)).catch(refused)),
    preview(asked, how) {
      try {
        const { words, next, notes } = schedules.preview(asked, how);
        return { words, next: next.map(iso), notes: notes.map((note) => ({ ...note, at: iso(note.at) })) };
      } catch (error) {
        return refused(error);
      }
    },
    async calendar(range) {
      const { entries, truncated } = await schedules.calendar(range);
      return { entries: entries.map(({ job, at, count }) => ({ job_id: job, at: iso(at), count })), truncated };
    },
    now,
    refuseRange: () => refuse(400, "The calendar shows at most 92 days: `to` is after `from`, and within them."),
  };
}

type Policies = Pick<
  Parameters<SchedulerService["edit"]>[1],
  "fresh" | "overlap" | "catch_up_s" | "jitter_s" | "retries" | "only_if"
>;

function policiesOf({ fresh, overlap, catch_up_s, jitter_s, retries, only_if }: Policies) {
  return {
    fresh,
    overlap,
    catchUpS: catch_up_s,
    jitterS: jitter_s,
    retries,
    onlyIf: only_if as ScheduledJob["onlyIf"] | null,
  };
}

function refuse(status: number, detail: string): never {
  throw new Problem(status, detail);
}

function refused(error: unknown): never {
  if (!(error instanceof JobError)) throw error;
  throw new Problem(STATUS[error.code], asSentence(error.message), error.code === "off" ? { retryAfter: 60 } : {});
}

/** A key's name is a UUID 7: it begins with the milliseconds at which it was claimed, the same when it is asked again. */
function askedBy({ key, begun }: { readonly key: string; readonly begun: boolean }) {
  return { at: Number.parseInt(key.slice(0, 12), 16), begun };
}
