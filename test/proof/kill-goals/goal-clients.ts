/** Operators at work on the goals of a trial: each goal has one, who knows what it was answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { askOperator } from "../ask-operator.ts";
import { checkOf, type Pages } from "../kill-watches/proof-watch.ts";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import { LostError } from "../wire.ts";
import type { ProofGoal } from "./proof-goal.ts";

/** What is known of a goal from the answers about it. */
export interface KnownGoal {
  readonly goal: ProofGoal;
  /** `asked`: the answer was lost. */
  made: "no" | "asked" | "yes";
  removed: "no" | "asked" | "yes";
  /** The goal's own id, as it was acknowledged. */
  own: string | undefined;
  /** Where its page is. */
  step: number;
  /** How often it was taken up again, and how often that may be. */
  rearmed: number;
}

export function knownOf(goal: ProofGoal): KnownGoal {
  return { goal, made: "no", removed: "no", own: undefined, step: 0, rearmed: 0 };
}

export interface GoalWork {
  readonly url: string;
  readonly ledger: Ledger;
  readonly pages: Pages;
}

interface GoalReply {
  readonly goal?: { readonly id: string; readonly status: string; readonly paused: string | null } | null;
  readonly detail?: unknown;
}

/** Works on every goal until the process ends. @throws LostError once every operator has lost the connection */
export async function workOnGoals(known: readonly KnownGoal[], work: GoalWork, random: Random): Promise<void> {
  const ends = await Promise.allSettled(
    known.map(async (one) => {
      const own = random.fork(one.goal.id);
      await lookAt(one, work);
      while (one.removed !== "yes") {
        await act(one, work, own);
        await sleep(own.int(20, 200));
      }
    }),
  );
  const worst = ends.find((end) => end.status === "rejected" && !(end.reason instanceof LostError)) ?? ends[0];
  if (worst?.status === "rejected") throw worst.reason;
}

/** What was acknowledged is still so in a later life (EN9). */
export async function lookAt(known: KnownGoal, { url, ledger }: GoalWork): Promise<GoalReply["goal"]> {
  const { id } = known.goal;
  if (known.made === "no") return undefined;
  const { status, body } = await askOperator<GoalReply>(url, { method: "GET", path: `/api/goals/${id}` });
  if (status !== 200) ledger.blame(`goal ${id} cannot be read: ${status} ${JSON.stringify(body)}`);
  const isThere = body.goal !== null && body.goal !== undefined;
  if (known.removed === "yes" && isThere) ledger.blame(`EN9: goal ${id} was removed, and is there again`);
  if (known.made === "yes" && known.removed === "no" && !isThere) ledger.blame(`EN9: goal ${id} is lost`);
  if (!isThere) {
    if (known.removed === "asked") known.removed = "yes";
    return undefined;
  }
  if (known.own !== undefined && body.goal?.id !== known.own) ledger.blame(`EN9: goal ${id} is another one`);
  known.own = body.goal?.id;
  known.made = "yes";
  if (known.removed === "asked") known.removed = "no";
  return body.goal;
}

/** One thing an operator does. */
async function act(known: KnownGoal, work: GoalWork, random: Random): Promise<unknown> {
  const { goal } = known;
  if (known.made !== "yes") return make(known, work);
  const kind = random.next();
  if (known.removed === "asked" || (goal.drifts && kind < 0.05)) return remove(known, work);
  if (kind < 0.5) return move(known, work.pages, random.chance(0.2));
  const now = await lookAt(known, work);
  if (now?.status === "active" && random.chance(0.15)) return extend(known, work, random);
  if (now?.status === "active" && now.paused !== null) return resume(known, work);
  if (now !== undefined && now !== null && now.status !== "active" && known.rearmed < 3) return rearm(known, work);
  return undefined;
}

async function make(known: KnownGoal, { url, ledger, pages }: GoalWork): Promise<void> {
  const { goal } = known;
  if (known.made === "no") move(known, pages, false);
  known.made = "asked";
  const { check, check_args: args } = checkOf("met", pages.url(goal.id)) as { check: string; check_args: object };
  const body = { ...goal.body, verifier: { type: "plugin", check, args } };
  const request = { method: "POST", path: "/api/goals", body, key: `make-${goal.id}` };
  const { status, body: said } = await askOperator<GoalReply>(url, request);
  if (status !== 200) ledger.blame(`goal ${goal.id} was refused: ${status} ${JSON.stringify(said)}`);
  const own = said.goal?.id;
  if (known.own !== undefined && own !== known.own) ledger.blame(`A15: one request set ${known.own} and ${own}`);
  known.own = own;
  known.made = "yes";
}

function move(known: KnownGoal, pages: Pages, holds: boolean): void {
  known.step += 1;
  pages.set(known.goal.id, known.step, holds);
}

async function resume({ goal }: KnownGoal, { url, ledger }: GoalWork): Promise<void> {
  const { status, body } = await askOperator(url, { method: "POST", path: `/api/goals/${goal.id}/resume` });
  // It may have ended meanwhile.
  if (status !== 200 && status !== 400) ledger.blame(`resuming ${goal.id} was refused: ${JSON.stringify(body)}`);
}

async function rearm(known: KnownGoal, { url, ledger, pages }: GoalWork): Promise<void> {
  const { id } = known.goal;
  move(known, pages, false);
  const request = { method: "POST", path: `/api/goals/${id}/rearm`, body: {}, key: `rearm-${id}-${known.rearmed}` };
  const { status, body } = await askOperator(url, request);
  if (status === 200) known.rearmed += 1;
  else if (status !== 400) ledger.blame(`rearming ${id} was refused: ${status} ${JSON.stringify(body)}`);
}

async function extend({ goal: { id } }: KnownGoal, { url, ledger }: GoalWork, random: Random): Promise<void> {
  const body = { add_iterations: random.int(1, 2) };
  const request = { method: "POST", path: `/api/goals/${id}/rearm`, body, key: `extend-${id}-${random.int(1, 1e9)}` };
  const { status, body: said } = await askOperator(url, request);
  if (status !== 200) ledger.blame(`extending ${id} was refused: ${status} ${JSON.stringify(said)}`);
}

async function remove(known: KnownGoal, { url, ledger }: GoalWork): Promise<void> {
  known.removed = "asked";
  const { status } = await askOperator(url, { method: "DELETE", path: `/api/goals/${known.goal.id}` });
  if (status !== 200) ledger.blame(`removing goal ${known.goal.id} was refused: ${status}`);
  known.removed = "yes";
}
