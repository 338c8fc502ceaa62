/** An answer to a parked task, as its caller gives it: once, and durable before it is acknowledged (R1, A15). */
import { isExpectationError } from "../database/index.ts";
import { JournalError, type TaskRecord } from "../journal/index.ts";
import type { TurnDeps } from "../turn/index.ts";
import { type AnsweredPrompt, answerChange, answeredPrompt } from "./answer-prompt.ts";
import { queueEntryOf } from "./queue-entry.ts";
import { keyRow } from "./request-key.ts";
import type { AnswerTask } from "./start-task.ts";
import { TaskError } from "./task-error.ts";
import { type TaskHandle, taskHandle } from "./task-handle.ts";
import type { TaskLookup } from "./task-lookup.ts";
import type { TurnRunner } from "./turn-runner.ts";

export interface AnswerParts {
  readonly deps: TurnDeps;
  readonly runner: TurnRunner;
  readonly lookup: TaskLookup;
}

/** As `TaskService.answer`, of a task in memory and a key that is not stored yet. */
export async function answerTask(parts: AnswerParts, record: TaskRecord, reply: AnswerTask): Promise<TaskHandle> {
  const { deps, runner, lookup } = parts;
  const { journal } = deps;
  // Nothing is awaited between the last look at what waits and the answer to it: another may come in between.
  for (let isAllowed = reply.refuseApproval === undefined; ; isAllowed = true) {
    while (record.inflight > 0) await new Promise<void>((resolve) => record.onChange(resolve));
    if (isAllowed || answeredPrompt(record, reply)?.payload.kind !== "approval") break;
    const refused = await reply.refuseApproval?.();
    if (refused !== undefined) throw new TaskError("forbidden", refused);
  }
  const entry = queueEntryOf(record.view);
  const free = runner.queue.free(entry);
  let answered: AnsweredPrompt | undefined;
  try {
    answered = answerChange(record, reply, deps, free ? "running" : "queued");
  } catch (error) {
    // Another request with the same key may have answered meanwhile (A15).
    const known = await lookup.byKey(reply.class, reply.key);
    if (known !== undefined) return known;
    throw error;
  }
  const handle = taskHandle(journal, record);
  if (answered === undefined) return handle;
  const { change, resumes } = answered;
  const extra = reply.key === undefined ? [] : [keyRow(deps, reply.class, reply.key, record.view.id)];
  journal.hold(record);
  const committed = journal.append(record, { ...change, statements: [...(change.statements ?? []), ...extra] });
  try {
    if (resumes) await runner.enqueue(record, entry, committed);
    else await committed;
  } catch (error) {
    const known = await lookup.byKey(reply.class, reply.key);
    if (known !== undefined) return known;
    if (error instanceof JournalError || isExpectationError(error)) {
      throw new TaskError("prompt_gone", "the prompt is no longer pending");
    }
    throw error;
  } finally {
    journal.unhold(record);
  }
  return handle;
}
