import { NO_USAGE, type TaskOrigin, type TaskUsage } from "../event/index.ts";
import type { AnswerTask, StartTask } from "./start-task.ts";
import { TaskError } from "./task-error.ts";
import type { TaskHandle } from "./task-handle.ts";
import type { TaskService } from "./task-service.ts";

/** How a message answers the prompt that its context waits with. */
export interface AnswersPrompt {
  /** True: without a waiting prompt it is refused. False: it starts a turn then. */
  readonly required: boolean;
  /** Only prompts of tasks that this started; absent: of any. */
  readonly origin?: TaskOrigin;
}

/** A message of a surface. */
export interface OpenTurn extends StartTask {
  /** Absent: it starts a turn, whatever its context waits for. */
  readonly answers?: AnswersPrompt | undefined;
  /** As of a reply to a prompt. */
  readonly refuseApproval?: AnswerTask["refuseApproval"];
}

/** The turn that a message started, or that continues with it as its answer. */
export interface OpenedTurn {
  readonly task: TaskHandle;
  /** Number of the last event before this message; 0 for a new turn, and for one that a repeated key named. */
  readonly after: number;
  /** What the task had used before this message. */
  readonly usedBefore: TaskUsage;
}

type Tasks = Pick<TaskService, "start" | "answer" | "byKey" | "parkedIn">;

/**
 * Accepts a message of any surface: the turn that its idempotency key names already, the parked turn it answers, or a new
 * one.
 * @throws TaskError not_waiting where it has to answer and nothing waits; and what `TaskService.start` and `answer` throw
 */
export async function openTurn(tasks: Tasks, { answers, refuseApproval, ...start }: OpenTurn): Promise<OpenedTurn> {
  if (answers === undefined) return opened(await tasks.start(start));
  const { class: callerClass, key } = start;
  if (answers.required && key !== undefined) {
    const known = await tasks.byKey(callerClass, key);
    if (known !== undefined) return opened(known);
  }
  const answered = await answerWaiting(tasks, { ...start, refuseApproval }, answers.origin);
  if (answered !== undefined) return answered;
  if (answers.required) throw new TaskError("not_waiting", "nothing waits for an answer in this context");
  return opened(await tasks.start(start));
}

function opened(task: TaskHandle): OpenedTurn {
  return { task, after: 0, usedBefore: NO_USAGE };
}

/** Undefined: no prompt waits in the context any more. */
async function answerWaiting(
  tasks: Tasks,
  { class: callerClass, context, input, key, refuseApproval }: Omit<OpenTurn, "answers">,
  origin: TaskOrigin | undefined,
): Promise<OpenedTurn | undefined> {
  if (context === undefined) return undefined;
  const waiting = await tasks.parkedIn({ class: callerClass, context, ...(origin !== undefined && { origin }) });
  if (waiting === undefined) return undefined;
  const { seq: after, usage: usedBefore } = waiting.view;
  try {
    const task = await tasks.answer(waiting.id, {
      class: callerClass,
      input,
      refuseApproval,
      ...(key !== undefined && { key }),
    });
    return task.repeated ? opened(task) : { task, after, usedBefore };
  } catch (error) {
    // Another message answered it meanwhile.
    if (error instanceof TaskError && (error.code === "not_waiting" || error.code === "prompt_gone")) return undefined;
    throw error;
  }
}
