/** A15 for what an executor in memory accepted. */
import { invalidParams } from "../../error/index.ts";
import type { CallContext, DirectReply, Submission, TaskReading } from "../executor.ts";
import type { InMemoryTask } from "./in-memory-task.ts";

/** What a message was accepted as: its task with the number of the acceptance's event, or the reply to it. */
export type Accepted = { readonly task: InMemoryTask; readonly seq: number } | DirectReply;

/** Which message was accepted under which key. */
export interface IdempotencyKeys {
  /**
   * The result of the message accepted earlier under the same key. Throws `A2AError` INVALID_PARAMS where that was a
   * different request; rejects where that was not accepted.
   */
  earlier(submission: Submission, call: CallContext): Promise<TaskReading | DirectReply> | undefined;
  /** Keeps the key from now on; of what is not accepted it is forgotten. */
  remember(submission: Submission, call: CallContext, accepted: Promise<Accepted>): void;
  /** Forgets the keys of a task that was removed. */
  forget(task: InMemoryTask): void;
}

/** No keys yet. Those of tasks live as long as these, those of other replies until `maxReplies` newer ones exist. */
export function createIdempotencyKeys(maxReplies: number): IdempotencyKeys {
  const known = new Map<string, { readonly accepted: Promise<Accepted>; readonly request: string }>();
  const keysOfTasks = new WeakMap<InMemoryTask, string[]>();
  const replied: string[] = [];

  function settle(key: string, accepted: Accepted): void {
    if ("task" in accepted) {
      keysOfTasks.set(accepted.task, [...(keysOfTasks.get(accepted.task) ?? []), key]);
      return;
    }
    replied.push(key);
    if (replied.length > maxReplies) known.delete(replied.shift()!);
  }
  return {
    earlier(submission, call) {
      const key = keyOf(submission, call);
      const found = key === undefined ? undefined : known.get(key);
      if (found === undefined) return undefined;
      if (found.request !== fingerprint(submission)) {
        throw invalidParams("Idempotency-Key: was used for a different request");
      }
      return found.accepted.then((accepted) => ("task" in accepted ? accepted.task.reading(accepted.seq) : accepted));
    },
    remember(submission, call, accepted) {
      const key = keyOf(submission, call);
      if (key === undefined) return;
      known.set(key, { accepted, request: fingerprint(submission) });
      accepted.then(
        (found) => settle(key, found),
        () => known.delete(key),
      );
    },
    forget(task) {
      for (const key of keysOfTasks.get(task) ?? []) known.delete(key);
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
