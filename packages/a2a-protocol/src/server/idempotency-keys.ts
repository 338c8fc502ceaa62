/** Ruling A15 for tasks in memory. */
import { invalidParams } from "../error/index.ts";
import type { CallContext, Submission, TaskReading } from "./executor.ts";
import type { InMemoryTask } from "./in-memory-task.ts";

/** Which message was accepted under which key. */
export interface IdempotencyKeys {
  /**
   * The reading of the message accepted earlier under the same key. Throws `A2AError` INVALID_PARAMS where that was a
   * different request.
   */
  earlier(submission: Submission, call: CallContext): TaskReading | undefined;
  /** `seq`: number of the event that the acceptance made. */
  remember(task: InMemoryTask, submission: Submission, call: CallContext, seq: number): void;
  /** Forgets the keys of a task that is gone. */
  forget(task: InMemoryTask): void;
}

/** No keys yet. They live as long as their tasks. */
export function createIdempotencyKeys(): IdempotencyKeys {
  const accepted = new Map<string, { task: InMemoryTask; seq: number; request: string }>();
  const keys = new WeakMap<InMemoryTask, string[]>();
  return {
    earlier(submission, call) {
      const key = keyOf(submission, call);
      const found = key === undefined ? undefined : accepted.get(key);
      if (found === undefined) return undefined;
      if (found.request !== fingerprint(submission)) {
        throw invalidParams("Idempotency-Key: was used for a different request");
      }
      return found.task.reading(found.seq);
    },
    remember(task, submission, call, seq) {
      const key = keyOf(submission, call);
      if (key === undefined) return;
      accepted.set(key, { task, seq, request: fingerprint(submission) });
      keys.set(task, [...(keys.get(task) ?? []), key]);
    },
    forget(task) {
      for (const key of keys.get(task) ?? []) accepted.delete(key);
    },
  };
}

function keyOf({ idempotencyKey }: Submission, { caller }: CallContext): string | undefined {
  return idempotencyKey === undefined ? undefined : `${caller.class}\n${idempotencyKey}`;
}

/** What has to be the same for a request to be the same; the message's own id does not count. */
function fingerprint({ message, contextId, acceptedOutputModes, delivery, metadata }: Submission): string {
  const { role, parts, taskId, extensions, referenceTaskIds } = message;
  const configuration = [acceptedOutputModes, delivery];
  return JSON.stringify([role, parts, taskId, contextId, configuration, metadata, extensions, referenceTaskIds]);
}
