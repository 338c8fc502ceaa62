/** Operators at work on the jobs of a trial: each job has one, who knows what it was answered. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import { LostError } from "../wire.ts";
import { askFor, type JobReply } from "./job-requests.ts";
import { drawSchedule, type ProofJob } from "./scheduled-job.ts";

/** What is known of a job from the answers about it. */
export interface KnownJob {
  readonly job: ProofJob;
  /** `asked`: the answer was lost. */
  made: "no" | "asked" | "yes";
  removed: "no" | "asked" | "yes";
  /** Whether it was last switched on or off; undefined: the answer was lost. */
  enabled: boolean | undefined;
  /** Runs that were asked for, by the keys they were asked for under; undefined: the answer was lost. */
  readonly runs: Map<string, string | undefined>;
}

export function knownOf(job: ProofJob): KnownJob {
  return { job, made: "no", removed: "no", enabled: true, runs: new Map() };
}

export interface JobWork {
  readonly url: string;
  readonly ledger: Ledger;
  /** Virtual epoch milliseconds. */
  readonly now: () => number;
  /** Switches what checks before slots find. */
  readonly setFlag: (works: boolean) => void;
  /** Schedules may be switched off meanwhile: what needs them is then refused with 503, and changes nothing. */
  readonly mayBeOff: boolean;
}

/** Works on every job until the process ends. @throws LostError once every operator has lost the connection */
export async function workOnJobs(known: readonly KnownJob[], work: JobWork, random: Random): Promise<void> {
  const ends = await Promise.allSettled(
    known.map(async (one) => {
      const own = random.fork(one.job.id);
      await lookAt(one, work);
      while (one.removed !== "yes") {
        await act(one, work, own);
        await sleep(own.int(20, 300));
      }
    }),
  );
  const worst = ends.find((end) => end.status === "rejected" && !(end.reason instanceof LostError)) ?? ends[0];
  if (worst?.status === "rejected") throw worst.reason;
}

/** What was acknowledged is still so in a later life (EN9). */
export async function lookAt(known: KnownJob, { url, ledger }: JobWork): Promise<void> {
  const { id } = known.job;
  if (known.made === "no") return;
  const { status, body } = await askFor(url, { method: "GET", path: `/${id}` });
  const isThere = status === 200;
  if (known.removed === "yes" && isThere) ledger.blame(`EN9: job ${id} was removed, and is there again`);
  if (known.made === "yes" && known.removed === "no" && !isThere) ledger.blame(`EN9: job ${id} is lost (${status})`);
  if (!isThere) {
    if (known.removed === "asked") known.removed = "yes";
    return;
  }
  known.made = "yes";
  if (known.removed === "asked") known.removed = "no";
  const { enabled, pause_reason, kind } = body.job!;
  const mayBeOff = pause_reason !== null || kind === "once";
  if (known.enabled !== undefined && known.enabled !== enabled && !(mayBeOff && !enabled))
    ledger.blame(`EN9: job ${id} was switched ${known.enabled ? "on" : "off"}, and is ${enabled ? "on" : "off"}`);
  known.enabled = enabled;
}

/** One thing an operator does. */
async function act(known: KnownJob, work: JobWork, random: Random): Promise<unknown> {
  const { job } = known;
  if (random.chance(0.1)) work.setFlag(random.chance(0.5));
  if (known.made !== "yes") return make(known, work);
  const lost = [...known.runs].find(([, slot]) => slot === undefined)?.[0];
  if (lost !== undefined && known.removed === "no") return run(known, work, lost);
  const kind = random.next();
  if (known.removed === "yes") return undefined;
  if (known.removed === "asked" || (job.drifts && kind < 0.05)) return remove(known, work);
  if (kind < 0.25) return change(known, work, { enabled: false });
  if (kind < 0.5 || known.enabled !== true) return change(known, work, { enabled: true });
  if (kind < 0.75) {
    const again = random.chance(0.3) ? [...known.runs.keys()][0] : undefined;
    return run(known, work, again ?? `${job.id}-run-${known.runs.size}`);
  }
  if (job.drifts && job.once === undefined && kind < 0.9)
    return change(known, work, { schedule: drawSchedule(random) });
  return undefined;
}

/** Makes a job, or asks for it again where the answer was lost. */
export async function make(known: KnownJob, { url, ledger, now, mayBeOff }: JobWork): Promise<void> {
  const { job } = known;
  const before = known.made;
  const schedule = job.once === undefined ? {} : { schedule: new Date(now() + job.once).toISOString() };
  const key = `make-${job.id}`;
  // A repeated request says the same, a time included.
  const body = known.made === "no" ? { ...job.body, ...schedule } : undefined;
  if (body !== undefined) bodies.set(known, body);
  known.made = "asked";
  const { status, body: said } = await askFor(url, { method: "POST", body: bodies.get(known)!, key });
  if (status === 200) known.made = "yes";
  else if (status === 503 && mayBeOff) known.made = before;
  else if (job.once === undefined) ledger.blame(`job ${job.id} was refused: ${status} ${JSON.stringify(said)}`);
  // Its time may have passed by more than a minute while nothing ran.
  else known.made = "no";
}

const bodies = new WeakMap<KnownJob, object>();

export async function change(
  known: KnownJob,
  { url, ledger, mayBeOff }: JobWork,
  body: { readonly enabled?: boolean; readonly schedule?: string },
): Promise<JobReply> {
  const { job, enabled } = known;
  if (body.enabled !== undefined) known.enabled = undefined;
  const reply = await askFor(url, { method: "PUT", path: `/${job.id}`, body });
  if (reply.status === 503 && mayBeOff) {
    known.enabled = enabled;
    return reply;
  }
  const isOver = reply.status === 400 && job.once !== undefined;
  if (reply.status !== 200 && !isOver) ledger.blame(`changing job ${job.id} was refused: ${JSON.stringify(reply)}`);
  if (reply.body.job !== undefined) known.enabled = reply.body.job.enabled;
  return reply;
}

async function run(known: KnownJob, { url, ledger, mayBeOff }: JobWork, key: string): Promise<void> {
  const { job, runs } = known;
  const before = runs.get(key);
  runs.set(key, before);
  const { status, body } = await askFor(url, { method: "POST", path: `/${job.id}/run`, key });
  if (status === 409) {
    if (before === undefined) runs.delete(key);
    else ledger.blame(`A15: the run of job ${job.id} under ${key} began before, and is refused now`);
    return;
  }
  if (status === 503 && mayBeOff) return;
  if (status !== 200) return ledger.blame(`running job ${job.id} was refused: ${status} ${JSON.stringify(body)}`);
  const slot = `${body.run!.slot} ${body.run!.attempt}`;
  if (before !== undefined && before !== slot)
    ledger.blame(`A15: the run of job ${job.id} under ${key} was ${before}, and is ${slot}`);
  runs.set(key, slot);
}

async function remove(known: KnownJob, { url, ledger }: JobWork): Promise<void> {
  const wasAsked = known.removed === "asked";
  known.removed = "asked";
  const { status } = await askFor(url, { method: "DELETE", path: `/${known.job.id}` });
  if (status !== 200 && !(wasAsked && status === 404))
    ledger.blame(`removing job ${known.job.id} was refused: ${status}`);
  known.removed = "yes";
}
