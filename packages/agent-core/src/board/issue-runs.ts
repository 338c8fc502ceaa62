/**
 * Turns in which the agent works on an issue of the board (B40).
 *
 * Invariants
 *  IB4  However often it is asked for, and whenever the process is killed, an issue has one turn at a time: its task is
 *       named on the board before it is accepted, and a task is accepted once. A turn that failed or was canceled, or that
 *       was deleted with its conversation, can be followed by another one.
 */
import type { Database } from "../database/index.ts";
import type { TaskState } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { readTaskStates, type TaskService } from "../task/index.ts";
import { BoardError } from "./board-error.ts";
import type { Issue } from "./issue.ts";
import type { IssueBoard } from "./issue-board.ts";

export interface IssueRunsOptions {
  readonly board: Pick<IssueBoard, "get" | "claimRun" | "startedRun" | "releaseRun">;
  /** The engine's store. */
  readonly db: Pick<Database, "read">;
  readonly service: Pick<TaskService, "start">;
  /** Ids that sort by time. */
  readonly newId: () => string;
}

/** An issue with the turn that works on it. */
export interface StartedIssueRun {
  readonly issue: Issue;
  readonly task: string;
  readonly session: string;
  /** False: it had begun before. */
  readonly started: boolean;
  /** Its conversation is new. */
  readonly isNewSession: boolean;
}

/** Starts turns about issues, and reads how they stand. */
export class IssueRuns {
  readonly #options: IssueRunsOptions;
  /** One request per issue at a time. */
  readonly #underWay = new Map<string, Promise<StartedIssueRun>>();

  constructor(options: IssueRunsOptions) {
    this.#options = options;
  }

  /**
   * Starts a turn about an issue, in a conversation of its own; one that works on it already is returned.
   * @throws BoardError unknown_issue, closed @throws TaskError overloaded, draining @throws DatabaseError
   */
  async start(id: string): Promise<StartedIssueRun> {
    const running = this.#underWay.get(id);
    if (running !== undefined) return { ...(await running), started: false };
    const begun = this.#start(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, begun);
    return begun;
  }

  /** The states of turns, by task; of those that were deleted there is none. @throws DatabaseError */
  states(issues: readonly Issue[]): Promise<ReadonlyMap<string, TaskState>> {
    const tasks = issues.flatMap(({ run }) => (run?.isStarted ? [run.task] : []));
    return tasks.length === 0 ? Promise.resolve(new Map()) : readTaskStates(this.#options.db, tasks);
  }

  async #start(id: string): Promise<StartedIssueRun> {
    const { board, service, newId } = this.#options;
    const issue = await board.get(id);
    const { run } = issue;
    const state = (await this.states([issue])).get(run?.task ?? "");
    const isOver = state === "failed" || state === "canceled";
    if (run?.isStarted && state !== undefined && !isOver)
      return { issue, task: run.task, session: run.session, started: false, isNewSession: false };
    if (issue.status === "closed") throw new BoardError("closed", `${id} is closed: open it again first`);
    // What was named and never accepted keeps its name.
    const isNamed = run !== undefined && !run.isStarted;
    const task = isNamed ? run.task : newId();
    const session = isNamed || isOver ? (run?.session ?? newId()) : newId();
    await board.claimRun(id, { task, session });
    try {
      await service.start({
        ...{ id: task, class: OPERATOR_CLASS, context: session, origin: "board" },
        input: { messageId: task, parts: [{ kind: "text", text: textOf(issue) }] },
        // What it says may follow content from outside, and so does its turn then (G29).
        ...(issue.outside && { options: { wordsFrom: "board" } }),
      });
    } catch (error) {
      await board.releaseRun(id, issue.status);
      throw error;
    }
    return { issue: await board.startedRun(id), task, session, started: true, isNewSession: !isOver };
  }
}

function textOf({ id, title, description }: Issue): string {
  const asked = `This is ${id} of the task board, and you are asked to do it now. When it is done, close it with \`task_close\` and say what was done. If it cannot be done, set it to \`blocked\` with \`task_update\` and say what is missing.`;
  // A slash at the start would make a command of the model's own of it, whoever wrote the title.
  const heading = title.startsWith("/") ? `${id}: ${title}` : title;
  return [heading, asked, description].filter(Boolean).join("\n\n");
}
