/** Goals for the operator API. */
import {
  BoardError,
  type Goal,
  GoalError,
  type GoalErrorCode,
  type GoalEvent,
  type Goals,
  type IssueBoard,
  phaseOf,
} from "@agent-service/agent-core/host";
import { type GoalEventRow, type GoalRow, type GoalsService, Problem } from "@agent-service/operator-api";
import { asSentence } from "../../surfaces/operator/index.ts";

/** Verdicts of a goal's record, and characters of their texts. */
const HISTORY = 50;
const HISTORY_CHARS = 500;
/** Open issues that one deletion closes. */
const MOST_ISSUES = 1_000;

const STATUS: { readonly [code in GoalErrorCode]: number } = {
  ...{ invalid: 400, not_active: 400, refused: 403, no_goal: 404, too_many: 409, too_high: 422, off: 503 },
};
const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

/** A goal as a row of the API. */
export function goalRow(goal: Goal, redact: (text: string) => string, verdicts: readonly GoalEvent[] = []): GoalRow {
  const { spec, state } = goal;
  const { spec: check, project } = spec.check;
  const cut = (text: string): string => redact(text).slice(0, HISTORY_CHARS).toWellFormed();
  return {
    ...{ id: goal.id, session_id: goal.context, condition: redact(spec.condition) },
    verifier: JSON.parse(redact(JSON.stringify(check))) as GoalRow["verifier"],
    ...{ project: project === "" ? null : project, outcome: redact(spec.outcome) },
    ...{ constraints: spec.constraints.map(redact), boundaries: spec.boundaries.map(redact) },
    ...{ stop_when: redact(spec.stopWhen), status: goal.status, phase: phaseOf(goal) },
    paused: goal.status === "active" ? (state.paused ?? null) : null,
    ...{ fresh_context: spec.fresh, abandon_reason: redact(state.abandon ?? "") },
    ...{ iteration: state.iteration, max_iterations: state.maxIterations, no_progress_limit: spec.noProgressLimit },
    ...{ no_progress_streak: state.streak, last_progress_signature: state.signature },
    ...{ last_reason: state.lastReason, last_evidence: state.lastEvidence },
    ...{ drive_task_id: state.drive ?? null, verify_task_id: state.verify ?? null },
    ...{ retry_at: isoOrNull(state.retryAt), plan: redact(goal.plan), budget: null },
    spent: { usd: state.usd, tokens: state.tokens },
    history: verdicts.map(({ iteration = 0, at, status = "continue", reason = "", evidence = "" }) => ({
      ...{ iteration, at: iso(at), status, reason: cut(reason), evidence: cut(evidence) },
    })),
    ...{ created_by: spec.createdBy, started_at: iso(goal.createdAt), finished_at: isoOrNull(goal.finishedAt) },
  };
}

export interface GoalsServiceParts {
  readonly goals: Goals;
  readonly board: Pick<IssueBoard, "list" | "close">;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
}

export function goalsService({ goals, board, redact }: GoalsServiceParts): GoalsService {
  const rowOf = async (goal: Goal): Promise<GoalRow> => goalRow(goal, redact, await goals.verdicts(goal, HISTORY));
  return {
    enabled: () => goals.isOn,
    async list(page) {
      const found = await goals.list(page);
      return found.map((goal) => ({ row: goalRow(goal, redact), position: { at: goal.createdAt, id: goal.id } }));
    },
    async read(session) {
      const goal = await goals.get(session);
      return goal && rowOf(goal);
    },
    async set({ session_id, condition = "", verifier, kick = true, ...body }, key) {
      const { goal, kicked, replaced } = await goals
        .set(
          {
            ...{ context: session_id, condition, verifier: verifier ?? undefined, project: body.project },
            ...{
              maxIterations: body.max_iterations ?? undefined,
              noProgressLimit: body.no_progress_limit ?? undefined,
            },
            ...{ outcome: body.outcome ?? undefined, stopWhen: body.stop_when ?? undefined },
            ...{ constraints: body.constraints, boundaries: body.boundaries, fresh: body.fresh_context },
            ...{ by: "operator", originCall: key?.key },
          },
          { kind: kick ? "turn" : "later" },
        )
        .catch(refused);
      const message = replaced ? "The goal was set in the place of the one before." : "The goal was set.";
      return { message, kicked, goal: await rowOf(goal) };
    },
    async timeline(session, page) {
      const events = await goals.timeline(session, page).catch(refused);
      return events.map((event) => eventRow(event, redact));
    },
    async rearm(session, { add_iterations }, key) {
      const asked = { add: add_iterations ?? undefined, request: key?.key };
      const { goal, resumed, kicked } = await goals.rearm(session, asked).catch(refused);
      const message = resumed ? "The goal was rearmed." : `The goal has ${goal.state.maxIterations} iterations now.`;
      return { message, resumed, kicked, goal: await rowOf(goal) };
    },
    resume: async (session) => ({ kicked: await goals.resume(session).catch(refused) }),
    async clear(session, { closeTasks }) {
      const tasks_closed = closeTasks ? await closeIssues(board, session) : 0;
      return { cleared: await goals.clear(session), tasks_closed };
    },
  };
}

function eventRow({ no, at, kind, task, ...event }: GoalEvent, redact: (text: string) => string): GoalEventRow {
  const { iteration = null, met = null, status = null, reason = "", evidence = "", text = "" } = event;
  return {
    ...{ no, at: iso(at), kind, task_id: task ?? null, iteration, met, status },
    ...{ reason: redact(reason), evidence: redact(evidence), text: redact(text) },
    ...{ usd: event.usd ?? null, tokens: event.tokens ?? null },
  };
}

/** Closes the open issues of a session, those that someone else removed meanwhile aside. */
async function closeIssues(board: GoalsServiceParts["board"], session: string): Promise<number> {
  let closed = 0;
  const issues = await board.list({ session, limit: MOST_ISSUES });
  for (const { id, status } of issues) {
    if (status === "closed") continue;
    try {
      await board.close(id, "The goal of its session was cleared.");
      closed++;
    } catch (error) {
      if (!(error instanceof BoardError)) throw error;
    }
  }
  return closed;
}

function refused(error: unknown): never {
  if (!(error instanceof GoalError)) throw error;
  throw new Problem(STATUS[error.code], asSentence(error.message), error.code === "off" ? { retryAfter: 60 } : {});
}
