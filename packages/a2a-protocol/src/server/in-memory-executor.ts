import { OverloadedError, taskNotFound } from "../error/index.ts";
import { isTerminal } from "../task/index.ts";
import type { AgentFunction } from "./agent-function.ts";
import type { AgentExecutor, CallContext } from "./executor.ts";
import { createFailureReply, type OnError } from "./failure-reply.ts";
import { createIdempotencyKeys } from "./idempotency-keys.ts";
import { listInMemory } from "./in-memory-list.ts";
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
}

/**
 * An executor that runs an agent function and keeps its tasks in memory: nothing survives the process, so it takes no
 * webhooks. Tasks of one
 * context run side by side. Callers of the class `operator` see every task, others those of their own class (ruling
 * A16). Made for examples, tests and agents that need no durability.
 */
export function inMemoryExecutor(agent: AgentFunction, options: InMemoryExecutorOptions = {}): AgentExecutor {
  const { maxTasks = 1000, maxEvents = 10_000, now = Date.now } = options;
  const failures = createFailureReply(options.onError);
  const entries = new Map<string, Entry>();
  const keys = createIdempotencyKeys();

  function mayRead({ caller }: CallContext, { owner }: Entry): boolean {
    return caller.class === "operator" || caller.class === owner;
  }

  function visible(taskId: string, call: CallContext): Entry | undefined {
    const entry = entries.get(taskId);
    return entry && mayRead(call, entry) ? entry : undefined;
  }

  function makeRoom(): void {
    if (entries.size < maxTasks) return;
    for (const [taskId, { record }] of entries) {
      if (!isTerminal(record.task().status.state)) continue;
      entries.delete(taskId);
      keys.forget(record);
      return;
    }
    throw new OverloadedError(503, `All ${maxTasks} tasks are in use`, 5);
  }

  return {
    async submit(submission, call) {
      const earlier = keys.earlier(submission, call);
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
      entries.set(id, { record, run, owner: call.caller.class });
      keys.remember(record, submission, call, reading.now.seq);
      return reading;
    },
    async read(taskId, call) {
      return visible(taskId, call)?.record.reading();
    },
    async answer(taskId, reply, call) {
      const entry = visible(taskId, call);
      if (entry === undefined) throw taskNotFound(taskId);
      const earlier = keys.earlier(reply, call);
      if (earlier) return earlier;
      entry.run.answer(reply);
      const reading = entry.record.reading();
      keys.remember(entry.record, reply, call, reading.now.seq);
      return reading;
    },
    async cancel(taskId, call) {
      const entry = visible(taskId, call);
      if (entry === undefined) throw taskNotFound(taskId);
      entry.run.cancel();
      return entry.record.reading();
    },
    async list(query, call) {
      const own = [...entries.values()].filter((entry) => mayRead(call, entry));
      return listInMemory(
        own.map(({ record }) => record.task()),
        query,
      );
    },
  };
}
