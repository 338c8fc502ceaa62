/**
 * The task board: issues that operators and the agent keep (B40, B86).
 *
 * Invariants
 *  IB1  What was confirmed is on the disk (EN9).
 *  IB2  A change with a call's id is carried out once, however often the call is made (R3, R12).
 *  IB3  An id names one issue for ever, also after that was deleted.
 */
import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { commitIfExpected, type LazyStore, namedStatement, type Row, type Statement } from "../database/index.ts";
import { BoardError } from "./board-error.ts";
import {
  ISSUE_LIMITS,
  type Issue,
  type IssueChange,
  type IssueFilter,
  type IssueRun,
  type IssueStatus,
  type IssueType,
  issueNumber,
  type NewIssue,
} from "./issue.ts";
import { OPEN_COLUMNS, type OpenIssue, openIssueOf } from "./open-issue.ts";

export interface IssueBoardOptions {
  /** The store with the schema `board`. */
  readonly store: LazyStore;
  readonly clock: Pick<Clock, "now">;
  /** Gets changes: `board.changed`, `task.changed`. */
  readonly bus: EventBus;
}

/** Days for which calls that were carried out are remembered; no task stays open without its store for longer. */
const REMEMBERED_MS = 90 * 86_400_000;

const COLUMNS =
  "id, title, description, status, priority, type, assignee, session, created_at, updated_at, closed_at, close_reason, run_task, run_session, run_started, outside";
const NOT_YET = "NOT EXISTS (SELECT 1 FROM carried_out WHERE call = :call)";

const statements = () => ({
  insert: namedStatement(
    `INSERT INTO issue (title, description, status, priority, type, assignee, session, created_at, updated_at, closed_at, close_reason, outside)
     SELECT :title, :description, 'open', :priority, :type, :assignee, :session, :at, :at, NULL, '', :outside
     WHERE (SELECT count(*) FROM issue) < :most AND ${NOT_YET}`,
  ),
  rememberNewest: namedStatement("INSERT INTO carried_out (call, issue, at) SELECT :call, max(id), :at FROM issue"),
  remember: namedStatement("INSERT INTO carried_out (call, issue, at) VALUES (:call, :id, :at)"),
  forget: namedStatement(
    "DELETE FROM carried_out WHERE call IN (SELECT call FROM carried_out WHERE at < :before ORDER BY at LIMIT 100)",
  ),
  update: namedStatement(
    `UPDATE issue SET title = coalesce(:title, title), description = coalesce(:description, description),
       status = coalesce(:status, status), priority = coalesce(:priority, priority), type = coalesce(:type, type),
       assignee = coalesce(:assignee, assignee), updated_at = :at, outside = max(outside, :outside),
       closed_at = CASE coalesce(:status, status) WHEN 'closed' THEN coalesce(closed_at, :at) END,
       close_reason = CASE coalesce(:status, status) WHEN 'closed' THEN coalesce(:reason, close_reason) ELSE '' END
     WHERE id = :id AND ${NOT_YET}`,
  ),
  claimRun: namedStatement(
    `UPDATE issue SET run_task = :task, run_session = :session, run_started = 0, updated_at = :at,
       status = iif(status IN ('open', 'blocked', 'deferred'), 'in_progress', status) WHERE id = :id`,
  ),
  startedRun: namedStatement("UPDATE issue SET run_started = 1 WHERE id = :id"),
  releaseRun: namedStatement("UPDATE issue SET status = iif(status = 'in_progress', :status, status) WHERE id = :id"),
  remove: namedStatement("DELETE FROM issue WHERE id = :id"),
  byCall: namedStatement(`SELECT ${COLUMNS} FROM issue WHERE id = (SELECT issue FROM carried_out WHERE call = :call)`),
  carriedOut: namedStatement("SELECT 1 FROM carried_out WHERE call = :call"),
  byId: namedStatement(`SELECT ${COLUMNS} FROM issue WHERE id = :id`),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM issue
     WHERE id < coalesce(:before, 9e18) AND status = coalesce(:status, status) AND type = coalesce(:type, type)
       AND session = coalesce(:session, session) AND (:runSession IS NULL OR run_session = :runSession)
     ORDER BY id DESC LIMIT :limit`,
  ),
  open: namedStatement(
    `SELECT ${OPEN_COLUMNS} FROM issue WHERE status <> 'closed'
     ORDER BY priority, id LIMIT :limit`,
  ),
  countOpen: namedStatement("SELECT count(*) FROM issue WHERE status <> 'closed'"),
  toDo: namedStatement(`SELECT ${COLUMNS} FROM issue WHERE status <> 'closed' ORDER BY priority, id LIMIT :limit`),
});

/** Issues in a store of their own. */
export class IssueBoard {
  readonly #options: IssueBoardOptions;
  readonly #sql = statements();

  constructor(options: IssueBoardOptions) {
    this.#options = options;
  }

  /** Closes its store, if it was opened. */
  closeStore(): Promise<void> {
    return this.#options.store.close();
  }

  /** Opens its store. @throws DatabaseError when there is none */
  async open(): Promise<void> {
    await this.#options.store.get();
  }

  /** Newest first. @throws DatabaseError */
  async list({ status, type, session, runSession, before, limit }: IssueFilter): Promise<readonly Issue[]> {
    const which = { status: status ?? null, type: type ?? null, session: session ?? null, before: before ?? null };
    return this.#read(this.#sql.list.bind({ ...which, runSession: runSession ?? null, limit }));
  }

  /** What is not closed, the most urgent first. @throws DatabaseError */
  async toDo(limit: number): Promise<readonly Issue[]> {
    return this.#read(this.#sql.toDo.bind({ limit }));
  }

  /** What is not closed, the most urgent first, and how many there are in all. @throws DatabaseError */
  async openIssues(limit: number): Promise<{ readonly issues: readonly OpenIssue[]; readonly count: number }> {
    const db = await this.#options.store.get();
    const [rows, [count]] = await Promise.all([
      db.read(this.#sql.open.bind({ limit })),
      db.read(this.#sql.countOpen.bind({})),
    ]);
    return { issues: rows.map(openIssueOf), count: Number(count?.[0] ?? 0) };
  }

  /** @throws BoardError unknown_issue @throws DatabaseError */
  async get(id: string): Promise<Issue> {
    const [issue] = await this.#read(this.#sql.byId.bind({ id: issueNumber(id) ?? -1 }));
    if (issue === undefined) throw new BoardError("unknown_issue", `there is no issue ${id.slice(0, 40)}`);
    return issue;
  }

  /** `call`: a repetition with the same one returns the same issue (IB2). @throws BoardError full @throws DatabaseError */
  async create(issue: NewIssue, call: string = crypto.randomUUID()): Promise<Issue> {
    const at = this.#options.clock.now();
    const { title, description = "", priority = 2, type = "task", assignee = "", session = "", outside } = issue;
    const fields = { title, description, priority, type, assignee, session, outside: outside === true ? 1 : 0 };
    const db = await this.#options.store.get();
    const carriedOut = await commitIfExpected(db, {
      label: "board.create",
      expect: this.#sql.insert.bind({ ...fields, at, call, most: ISSUE_LIMITS.issues }),
      statements: [this.#sql.rememberNewest.bind({ call, at }), this.#sql.forget.bind({ before: at - REMEMBERED_MS })],
    });
    const [created] = await this.#read(this.#sql.byCall.bind({ call }));
    if (created === undefined && (await db.read(this.#sql.carriedOut.bind({ call }))).length > 0)
      throw new BoardError("unknown_issue", "the issue that this request created was deleted");
    if (created === undefined)
      throw new BoardError("full", `the board holds ${ISSUE_LIMITS.issues} issues: delete some that are closed`);
    if (carriedOut) this.#publish(created.id, "created");
    return created;
  }

  /** Changes what is named. Closing and opening again is a change of `status`. @throws BoardError unknown_issue @throws DatabaseError */
  async update(id: string, change: IssueChange, call?: string): Promise<Issue> {
    return this.#change(id, { ...change, reason: undefined }, call);
  }

  /** An issue that is closed already stays unchanged, but for a reason that is given. @throws BoardError unknown_issue @throws DatabaseError */
  async close(id: string, reason: string | undefined, call?: string): Promise<Issue> {
    return this.#change(id, { status: "closed", reason }, call);
  }

  /** @throws BoardError unknown_issue @throws DatabaseError */
  async remove(id: string): Promise<void> {
    const db = await this.#options.store.get();
    const expect = this.#sql.remove.bind({ id: issueNumber(id) ?? -1 });
    if (!(await commitIfExpected(db, { label: "board.remove", expect, statements: [] })))
      throw new BoardError("unknown_issue", `there is no issue ${id.slice(0, 40)}`);
    this.#publish(id, "deleted");
  }

  /** Names the turn that is about to work on an issue, which is in progress from now on. @throws BoardError unknown_issue */
  async claimRun(id: string, run: Pick<IssueRun, "task" | "session">): Promise<Issue> {
    const { task, session } = run;
    return this.#setRun(id, this.#sql.claimRun.bind({ id: issueNumber(id) ?? -1, task, session, at: this.#now() }));
  }

  /** The turn of an issue was accepted. @throws BoardError unknown_issue */
  async startedRun(id: string): Promise<Issue> {
    return this.#setRun(id, this.#sql.startedRun.bind({ id: issueNumber(id) ?? -1 }));
  }

  /** The turn of an issue could not be accepted: `status` is what the issue had before. @throws BoardError unknown_issue */
  async releaseRun(id: string, status: IssueStatus): Promise<Issue> {
    return this.#setRun(id, this.#sql.releaseRun.bind({ id: issueNumber(id) ?? -1, status }));
  }

  async #setRun(id: string, expect: Statement): Promise<Issue> {
    const changed = await commitIfExpected(await this.#options.store.get(), {
      label: "board.run",
      expect,
      statements: [],
    });
    const issue = await this.get(id);
    if (changed) this.#publish(id, "updated");
    return issue;
  }

  #now(): number {
    return this.#options.clock.now();
  }

  async #change(
    id: string,
    {
      title,
      description,
      status,
      priority,
      type,
      assignee,
      reason,
      outside,
    }: IssueChange & { reason: string | undefined },
    call: string | undefined,
  ): Promise<Issue> {
    const { id: known } = await this.get(id);
    const at = this.#options.clock.now();
    const number = issueNumber(known) ?? -1;
    const changes = { title: title ?? null, description: description ?? null, status: status ?? null };
    const more = { priority: priority ?? null, type: type ?? null, assignee: assignee ?? null, reason: reason ?? null };
    const writes = title !== undefined || description !== undefined;
    const expect = this.#sql.update.bind({
      ...{ id: number, at, call: call ?? "", outside: outside === true && writes ? 1 : 0 },
      ...changes,
      ...more,
    });
    const remember = call === undefined ? [] : [this.#sql.remember.bind({ call, id: number, at })];
    const changed = await commitIfExpected(await this.#options.store.get(), {
      label: "board.change",
      expect,
      statements: remember,
    });
    const issue = await this.get(id);
    if (changed) this.#publish(id, status === "closed" ? "closed" : "updated");
    return issue;
  }

  #publish(id: string, action: "created" | "updated" | "closed" | "deleted"): void {
    const { bus } = this.#options;
    // The second is the name that clients know (B40).
    bus.publish("board.changed", { id, action });
    bus.publish("task.changed", { id, action });
  }

  async #read(statement: Statement): Promise<readonly Issue[]> {
    const db = await this.#options.store.get();
    return (await db.read(statement)).map(issueOf);
  }
}

function issueOf(row: Row): Issue {
  const [
    id,
    title,
    description,
    status,
    priority,
    type,
    assignee,
    session,
    created,
    updated,
    closed,
    reason,
    task,
    runSession,
    isStarted,
    outside,
  ] = row;
  return {
    id: `task-${String(id)}`,
    title: String(title),
    description: String(description),
    status: String(status) as IssueStatus,
    priority: Number(priority),
    type: String(type) as IssueType,
    assignee: String(assignee),
    session: String(session),
    createdAt: Number(created),
    updatedAt: Number(updated),
    closedAt: closed === null ? undefined : Number(closed),
    closeReason: String(reason),
    outside: Number(outside) === 1,
    run:
      task === null
        ? undefined
        : { task: String(task), session: String(runSession), isStarted: Number(isStarted) === 1 },
  };
}
