import { invalidParams, OverloadedError, taskNotFound } from "../error/index.ts";
import { isTerminal } from "../task/index.ts";
import type { AgentFunction } from "./agent-function.ts";
import type { AgentExecutor, CallContext, Submission, TaskReading } from "./executor.ts";
import { createFailureReply, type OnError } from "./failure-reply.ts";
import { type InMemoryRun, startRun } from "./in-memory-run.ts";
import { createInMemoryTask, type InMemoryTask } from "./in-memory-task.ts";

/** Settings of an executor in memory. */
export interface InMemoryExecutorOptions {
  /** Most tasks kept; the oldest terminal one makes room, and without one a new task is refused with 503. Default 1,000. */
  readonly maxTasks?: number;
  /** Most events of one task; an agent that yields more fails. Default 10,000. */
  readonly maxEvents?: number;
  /** Milliseconds since 1970. Default: the runtime's clock. */
  readonly now?: () => number;
  /** Hears why an agent failed; callers only read that it did. Default: one line to the console. */
  readonly onError?: OnError;
}

interface Entry {
  readonly record: InMemoryTask;
  readonly run: InMemoryRun;
  readonly owner: string;
  readonly keys: string[];
}

/**
 * An executor that runs an agent function and keeps its tasks in memory: nothing survives the process. Tasks of one
 * context run side by side. Callers of the class `operator` see every task, others those of their own class (ruling
 * A16). Made for examples, tests and agents that need no durability.
 */
export function inMemoryExecutor(agent: AgentFunction, options: InMemoryExecutorOptions = {}): AgentExecutor {
  const { maxTasks = 1000, maxEvents = 10_000, now = Date.now } = options;
  const failures = createFailureReply(options.onError);
  const entries = new Map<string, Entry>();
  const accepted = new Map<string, { entry: Entry; seq: number; request: string }>();

  function visible(taskId: string, { caller }: CallContext): Entry | undefined {
    const entry = entries.get(taskId);
    return entry && (caller.class === "operator" || caller.class === entry.owner) ? entry : undefined;
  }

  /** The reading of an earlier message under the same key (ruling A15). */
  function repeated(submission: Submission, call: CallContext): TaskReading | undefined {
    const earlier = accepted.get(keyOf(submission, call) ?? "");
    if (earlier === undefined) return undefined;
    if (earlier.request !== fingerprint(submission)) {
      throw invalidParams("Idempotency-Key: was used for a different request");
    }
    return earlier.entry.record.reading(earlier.seq);
  }

  function remember(entry: Entry, submission: Submission, call: CallContext, seq: number): void {
    const key = keyOf(submission, call);
    if (key === undefined) return;
    accepted.set(key, { entry, seq, request: fingerprint(submission) });
    entry.keys.push(key);
  }

  function makeRoom(): void {
    if (entries.size < maxTasks) return;
    for (const [taskId, { record, keys }] of entries) {
      if (!isTerminal(record.task().status.state)) continue;
      entries.delete(taskId);
      for (const key of keys) accepted.delete(key);
      return;
    }
    throw new OverloadedError(503, `All ${maxTasks} tasks are in use`, 5);
  }

  return {
    async submit(submission, call) {
      const earlier = repeated(submission, call);
      if (earlier) return earlier;
      makeRoom();
      const id = crypto.randomUUID();
      const contextId = submission.contextId ?? crypto.randomUUID();
      const record = createInMemoryTask({
        id,
        contextId,
        status: { state: "TASK_STATE_WORKING", timestamp: new Date(now()).toISOString() },
        history: [{ ...submission.message, taskId: id, contextId }],
      });
      const onError = (error: unknown) => void failures.describe(error);
      const reading = record.reading();
      const run = startRun({ agent, submission, record, maxEvents, now, onError });
      const entry: Entry = { record, run, owner: call.caller.class, keys: [] };
      entries.set(id, entry);
      remember(entry, submission, call, reading.now.seq);
      return reading;
    },
    async read(taskId, call) {
      return visible(taskId, call)?.record.reading();
    },
    async answer(taskId, reply, call) {
      const entry = visible(taskId, call);
      if (entry === undefined) throw taskNotFound(taskId);
      const earlier = repeated(reply, call);
      if (earlier) return earlier;
      entry.run.answer(reply);
      const reading = entry.record.reading();
      remember(entry, reply, call, reading.now.seq);
      return reading;
    },
    async cancel(taskId, call) {
      const entry = visible(taskId, call);
      if (entry === undefined) throw taskNotFound(taskId);
      entry.run.cancel();
      return entry.record.reading();
    },
  };
}

function keyOf({ idempotencyKey }: Submission, { caller }: CallContext): string | undefined {
  return idempotencyKey === undefined ? undefined : `${caller.class}\n${idempotencyKey}`;
}

/** What has to be the same for a request to be the same (ruling A15); the message's own id does not count. */
function fingerprint({ message, contextId, acceptedOutputModes, metadata }: Submission): string {
  const { role, parts, taskId, extensions, referenceTaskIds } = message;
  return JSON.stringify([role, parts, taskId, contextId, acceptedOutputModes, metadata, extensions, referenceTaskIds]);
}
