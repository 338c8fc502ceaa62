/** Jobs by a schedule, as a trial draws them. */
import type { Random } from "../random.ts";

/** A job, and what may be done to it. */
export interface ProofJob {
  readonly id: string;
  /** What `POST` is sent, without its schedule where that is a time soon. */
  readonly body: { readonly [name: string]: string | number | object | undefined };
  /** Virtual milliseconds after it is made at which it runs once; undefined: it runs again and again. */
  readonly once: number | undefined;
  /** It may be removed, or given another schedule: what was to become of its slots is not known then. */
  readonly drifts: boolean;
}

const SCHEDULES = ["* * * * *", "* * * * *", "*/2 * * * *", "1-59/3 * * * *"] as const;

/** A script of the scripted model. Most do something once; some fail, wait for a person, or have nothing to do. */
function drawPrompt(random: Random, id: string): string {
  const call = (tool: string): string =>
    `/call ${tool} ${JSON.stringify({ token: id, before: random.int(0, 40), after: random.int(0, 40) })}`;
  const kind = random.next();
  if (kind < 0.35) return `${call("append_once")}\n/then\n/wait ${random.int(1, 60)}\n/say ${id} is done`;
  if (kind < 0.5) return `${call("put_once")}\n/then\n/say ${id} is done`;
  if (kind < 0.65) return `/wait ${random.int(1, 120)}\n/say ${id} is done`;
  if (kind < 0.75) return `${call("look")}\n/then\n/fail 400`;
  if (kind < 0.85) return `${call("append_once")}\n/then\n/fail 400`;
  if (kind < 0.92) return `${call("guarded_append")}\n/then\n/say ${id} is done`;
  return `/wait ${random.int(1500, 3000)}\n/say ${id} is done`;
}

/** The jobs of a trial. `flag`: the file that checks before slots look into. */
export function drawScheduledJobs(random: Random, count: number, flag: string): ProofJob[] {
  return Array.from({ length: count }, (_, i) => {
    const own = random.fork(`job${i}`);
    const id = `j${i}`;
    const once = own.chance(0.2) ? own.int(20_000, 200_000) : undefined;
    const checks = own.chance(0.25) ? { only_if: { verifier: { type: "data", path: flag, contains: "work" } } } : {};
    const body = {
      job_id: id,
      prompt: drawPrompt(own, id),
      overlap: own.pick(["skip", "queue", "allow"] as const),
      catch_up_s: own.pick([0, 120, 86_400] as const),
      jitter_s: own.chance(0.3) ? 30 : 0,
      retries: own.int(0, 2),
      ...checks,
      ...(once === undefined && { schedule: own.pick(SCHEDULES) }),
    };
    return { id, body, once, drifts: own.chance(0.3) };
  });
}

/** Another schedule for a job that may change. */
export function drawSchedule(random: Random): string {
  return random.pick(SCHEDULES);
}
