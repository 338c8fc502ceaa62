/** Checks of goals, as the running service has them. */
import type { GoalRow } from "@agent-service/operator-api";
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";
import { PAUSES } from "../goals/index.ts";

const about = "goals";
/** Goals that are looked at. */
const MOST = 500;

/** What is looked at of a goal. */
export type KnownGoal = Pick<GoalRow, "session_id" | "status" | "paused" | "last_reason">;

export async function checkGoals({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  const { enabled, goals } = await api.get("/api/goals", { query: { limit: MOST, status: "active" } });
  for (const finding of goalFindings(enabled, goals)) report(finding);
}

/** What to do about a goal that does not go on by itself, by why it is paused. Other pauses are as they should be. */
const REMEDIES: { readonly [Pause in NonNullable<KnownGoal["paused"]>]?: (session: string) => string } = {
  turn_failed: (session) => `${timeline(session)}; once it is mended, ${resume(session)}`,
  verifier_failed: (session) => `${timeline(session)}; once it is mended, ${resume(session)}`,
  interrupted: (session) => `see what it did: ${timeline(session)}; then ${resume(session)}`,
  off: resume,
};

function timeline(session: string): string {
  return `agent-service goals timeline ${session} has the reasons`;
}

function resume(session: string): string {
  return `agent-service goals resume ${session}`;
}

/** What to say of goals; nothing where none is active. */
export function goalFindings(enabled: boolean, goals: readonly KnownGoal[]): readonly Finding[] {
  const active = goals.filter(({ status }) => status === "active");
  if (active.length === 0) return [];
  const off: Finding = { state: "warning", about, text: `${active.length} active, and goals are switched off` };
  if (!enabled) return [{ ...off, remedy: "agent-service config set goal.enabled true" }];
  return [
    { state: "ok", about, text: `${active.length} active` },
    ...active.flatMap(({ session_id: session, paused }): Finding[] => {
      const remedy = paused === null ? undefined : REMEDIES[paused]?.(session);
      if (paused === null || remedy === undefined) return [];
      return [{ state: "warning", about, text: `the goal of ${session} is paused: ${PAUSES[paused]}`, remedy }];
    }),
  ];
}
