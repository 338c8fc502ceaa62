import { BoardError, DatabaseError, type Issue, type IssueBoard } from "@agent-service/agent-core/host";
import { type BoardService, type IssueRow, Problem } from "@agent-service/operator-api";

export interface BoardServiceParts {
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  /** Whether the store has been made. */
  readonly exists: () => boolean;
}

export function boardService(board: IssueBoard, { redact, exists }: BoardServiceParts): BoardService {
  const shown = (issue: Issue): IssueRow => ({
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
  });
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
    async list({ status, type, session_id: session }, limit, before) {
      const issues = await board.list({ status, type, session, limit, before }).catch(refused);
      return issues.map(shown);
    },
    read: (id) => one(board.get(id)),
    create: (issue, call) => one(board.create(issue, call)),
    edit: (id, change) => one(board.update(id, change)),
    close: (id, reason, call) => one(board.close(id, reason === "" ? undefined : reason, call)),
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
    throw new Problem(error.code === "unknown_issue" ? 404 : 409, `${capital(error.message)}.`);
  if (error instanceof DatabaseError && ["in_use", "unwritable"].includes(error.code)) noStore(error.message);
  throw error;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
