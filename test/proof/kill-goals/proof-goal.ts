/** Goals, as a trial draws them. */
import type { Random } from "../random.ts";

/** A goal of a session of its own, and what may be done to it. */
export interface ProofGoal {
  /** The session. */
  readonly id: string;
  /** What `POST` is sent, without its verifier. */
  readonly body: { readonly [name: string]: string | number | boolean };
  /** It may be removed. */
  readonly drifts: boolean;
}

/** A script of the scripted model: each turn of the goal does something once, some fail or wait for a person. */
function drawCondition(random: Random, id: string): string {
  const call = (tool: string): string =>
    `/call ${tool} ${JSON.stringify({ token: id, before: random.int(0, 40), after: random.int(0, 40) })}`;
  const kind = random.next();
  if (kind < 0.15)
    return `${id}\n/call update_goal_plan {"plan": "${random.int(1, 1e6)}"}\n/then\n/say ${id} is planned`;
  if (kind < 0.35) return `${id}\n${call("append_once")}\n/then\n/wait ${random.int(1, 60)}\n/say ${id} is done`;
  if (kind < 0.55) return `${id}\n${call("put_once")}\n/then\n/say ${id} is done`;
  if (kind < 0.75) return `${id}\n/wait ${random.int(1, 300)}\n/say ${id} is done`;
  if (kind < 0.85) return `${id}\n/wait ${random.int(1, 60)}\n/fail 400`;
  return `${id}\n${call("guarded_append")}\n/then\n/say ${id} is done`;
}

export function drawGoals(random: Random, count: number): ProofGoal[] {
  return Array.from({ length: count }, (_, i) => {
    const own = random.fork(`goal${i}`);
    const id = `g${i}`;
    const body = {
      ...{ session_id: id, condition: drawCondition(own, id), kick: own.chance(0.8), fresh_context: own.chance(0.4) },
      ...{ max_iterations: own.int(2, 5), no_progress_limit: own.int(2, 4) },
    };
    return { id, body, drifts: own.chance(0.15) };
  });
}
