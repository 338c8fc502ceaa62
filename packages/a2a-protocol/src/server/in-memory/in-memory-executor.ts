import { taskNotFound } from "../../error/index.ts";
import { createFailureReply, type OnError } from "../exchange/failure-reply.ts";
import type { AgentExecutor, CallContext, DirectReply, Submission, TaskReading } from "../executor.ts";
import type { AgentFunction } from "./agent-function.ts";
import { type Accepted, createIdempotencyKeys } from "./idempotency-keys.ts";
import { listInMemory } from "./in-memory-list.ts";
import { startRun } from "./in-memory-run.ts";
import { createInMemoryTask } from "./in-memory-task.ts";
import { createInMemoryTasks, type StoredTask } from "./in-memory-tasks.ts";

/** Bounds, clock and error handler of an executor that keeps tasks in memory only. */
export interface InMemoryExecutorOptions {
  /** Most tasks kept; the oldest terminal one makes room, and without one a new task is refused with 503. Default 1,000. */
  readonly maxTasks?: number;
  /** Most events of one task; an agent that yields more fails. Default 10,000. */
  readonly maxEvents?: number;
  /** Milliseconds since 1970. Default: the runtime's clock. */
  readonly now?: () => number;
  /** Called with the reason why an agent failed; callers only see that it did. Default: one line to the console. */
  readonly onError?: OnError;
}

/** What an agent made of a message, and that as its sender reads it. */
interface Opened {
  readonly accepted: Accepted;
  readonly reading: TaskReading | DirectReply;
  readonly kept?: StoredTask;
}

/**
 * An executor that runs an agent function and keeps its tasks in memory: nothing survives the process, so it takes no
 * webhooks. Tasks of one context run side by side. Callers of the class `operator` see every task, others those of their own class (
 * A16). Made for examples, tests and agents that need no durability.
 */
export function inMemoryExecutor(agent: AgentFunction, options: InMemoryExecutorOptions = {}): AgentExecutor {
  const { maxTasks = 1000, maxEvents = 10_000, now = Date.now } = options;
  const failures = createFailureReply(options.onError);
  const keys = createIdempotencyKeys(maxTasks);
  const tasks = createInMemoryTasks(maxTasks, keys.forget);

  async function open(submission: Submission, call: CallContext): Promise<Opened> {
    const id = crypto.randomUUID();
    const contextId = submission.contextId ?? crypto.randomUUID();
    const record = createInMemoryTask({
      id,
      contextId,
      status: { state: "TASK_STATE_WORKING", timestamp: new Date(now()).toISOString() },
      history: [{ ...submission.message, taskId: id, contextId }],
    });
    const onError = (error: unknown) => void failures.describe(error);
    // Before the agent takes its first step, so that the sender's stream begins with the acceptance.
    const reading = record.reading();
    const run = startRun({ agent, submission, record, maxEvents, now, onError });
    const reply = await run.opened;
    if (reply !== undefined) return { accepted: reply, reading: reply };
    const kept = { record, run, owner: call.caller.class };
    return { accepted: { task: record, seq: reading.now.seq }, reading, kept };
  }

  return {
    async submit(submission, call) {
      const earlier = keys.earlier(submission, call);
      if (earlier) return earlier;
      const made = tasks.reserve(() => open(submission, call));
      if (submission.idempotencyKey !== undefined) {
        const accepted = made.then((one) => one.accepted);
        keys.remember(submission, call, accepted);
      }
      return (await made).reading;
    },
    async read(taskId, call) {
      return tasks.visible(taskId, call)?.record.reading();
    },
    async answer(taskId, reply, call) {
      const entry = tasks.visible(taskId, call);
      if (entry === undefined) throw taskNotFound(taskId);
      const earlier = await keys.earlier(reply, call);
      if (earlier !== undefined && !("message" in earlier)) return earlier;
      entry.run.answer(reply);
      const reading = entry.record.reading();
      keys.remember(reply, call, Promise.resolve({ task: entry.record, seq: reading.now.seq }));
      return reading;
    },
    async cancel(taskId, call) {
      const entry = tasks.visible(taskId, call);
      if (entry === undefined) throw taskNotFound(taskId);
      entry.run.cancel();
      return entry.record.reading();
    },
    async list(query, call) {
      const visible = tasks.visibleTo(call).map(({ record }) => record.task());
      return listInMemory(visible, query);
    },
  };
}
