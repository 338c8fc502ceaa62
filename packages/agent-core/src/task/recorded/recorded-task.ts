import type { Statement } from "../../database/index.ts";
import { NO_USAGE, type TaskEvent } from "../../event/index.ts";
import type { TaskOptions, TurnDeps } from "../../turn/index.ts";
import { acceptedEvent, type StartTask } from "../start-task.ts";
import { type TaskHandle, taskHandle } from "../task-handle.ts";

/** A task that is complete from the start, as it is stored. */
export interface RecordedTask {
  readonly start: StartTask & { readonly id: string; readonly context: string };
  /** Its answer. */
  readonly text: string;
  readonly purpose: NonNullable<TaskOptions["purpose"]>;
  readonly label: string;
  /** What becomes durable with it, beside what `start` brings. */
  readonly statements: readonly Statement[];
}

/** Stores a task that is complete from the start: accepted, answered and completed in one command, without a model. */
export async function recordTask(
  { start, text, purpose, label, statements: extra }: RecordedTask,
  { journal }: Pick<TurnDeps, "journal">,
): Promise<TaskHandle> {
  const { id, context } = start;
  const of = { class: start.class, context };
  const events: TaskEvent[] = [
    acceptedEvent(start, of, "running"),
    { kind: "answer", parts: [{ kind: "text", text }] },
    { kind: "task.completed", usage: NO_USAGE, durationMs: 0 },
  ];
  const options = JSON.stringify({ ...start.options, purpose });
  const statements = [...extra, ...(start.alongside?.({ id, context }) ?? [])];
  const { record, committed } = journal.create(
    { id, ...of, origin: start.origin, options, parent: undefined },
    { label, events, statements },
  );
  await committed;
  journal.release(record);
  return taskHandle(journal, record);
}
