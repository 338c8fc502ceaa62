import {
  BoardError,
  DatabaseError,
  type Issue,
  type IssueBoard,
  type IssueRuns,
  type Sessions,
  type TaskState,
} from "@agent-service/agent-core/host";
import { a2aStateOf, type BoardService, type IssueRow, Problem } from "@agent-service/operator-api";
import { asSentence } from "../../surfaces/operator/index.ts";

export interface BoardServiceParts {
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  /** Whether the store has been made. */
  readonly exists: () => boolean;
  readonly runs: IssueRuns;
  /** The conversations, which get the issue's title. */
  readonly sessions: Pick<Sessions, "rename">;
}

export function boardService(board: IssueBoard, { redact, exists, runs, sessions }: BoardServiceParts): BoardService {
  const row = (issue: Issue, state: TaskState | undefined): IssueRow => ({
    id: issue.id,
    title: redact(issue.title),
    description: redact(issue.description),
    status: issue.status,
    priority: issue.priority,
    issue_type: issue.type,
    assignee: redact(issue.assignee),
    session_id: issue.session === "" ? null : issue.session,
    created_at: new Date(issue.createdAt).toISOString(),
    updated_at: new Date(issue.updatedAt).toISOString(),
    closed_at: issue.closedAt === undefined ? null : new Date(issue.closedAt).toISOString(),
    close_reason: issue.closeReason === "" ? null : redact(issue.closeReason),
    run:
      issue.run === undefined || state === undefined
        ? null
        : { task_id: issue.run.task, session_id: issue.run.session, state: a2aStateOf(state) },
  });
  const all = async (issues: readonly Issue[]): Promise<IssueRow[]> => {
    const states = await runs.states(issues);
    return issues.map((issue) => row(issue, states.get(issue.run?.task ?? "")));
  };
  const shown = async (issue: Issue): Promise<IssueRow> => (await all([issue]))[0]!;
  const one = async (work: Promise<Issue>): Promise<IssueRow> => shown(await work.catch(refused));
  return {
    async open() {
      const already = exists();
      try {
        await board.open();
      } catch (error) {
        return { ok: false, error: error instanceof Error ? redact(error.message) : "the store cannot be opened" };
      }
      return { ok: true, already };
    },
    async list({ status, type, session_id: session, run_session_id: runSession }, limit, before) {
      return all(await board.list({ status, type, session, runSession, limit, before }).catch(refused));
    },
    read: (id) => one(board.get(id)),
    create: (issue, call) => one(board.create(issue, call)),
    edit: (id, change) => one(board.update(id, change)),
    close: (id, reason, call) => one(board.close(id, reason === "" ? undefined : reason, call)),
    async run(id) {
      const { issue, task, session, started, isNewSession } = await runs.start(id).catch(refused);
      // Only its name in the list: without it the start of the message stands there.
      if (started && isNewSession) await sessions.rename(session, issue.title).catch(() => {});
      return { issue: await shown(issue), task, session, started };
    },
    remove: (id) => board.remove(id).catch(refused),
    refuse: noStore,
  };
}

function noStore(error: string): never {
  throw new Problem(503, `There is no task store: ${error}`, { retryAfter: 10 });
}

/** The HTTP error of what the board refuses; a store that cannot be opened is a 503. */
function refused(error: unknown): never {
  if (error instanceof BoardError)
    throw new Problem(error.code === "unknown_issue" ? 404 : 409, asSentence(error.message));
  if (error instanceof DatabaseError && ["in_use", "unwritable"].includes(error.code)) noStore(error.message);
  throw error;
}
