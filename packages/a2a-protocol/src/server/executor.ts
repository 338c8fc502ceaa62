/**
 * The port between the protocol handler and whatever runs the agent (A1). The handler keeps no state of its
 * own: everything it sends about a task it reads through here, so an executor over a durable journal makes a durable
 * server. Errors: an executor throws `A2AError` (see `error/`) for what the caller did wrong; anything else becomes
 * -32603 with a generic text.
 */
import type { Message, Metadata, SendMessageConfiguration } from "../message/index.ts";
import type { InlinePushConfig } from "../push/index.ts";
import type { NumberedFrame } from "../stream/index.ts";
import type { ListTasksResponse, Task, TaskState } from "../task/index.ts";
import type { CallContext } from "./call-context.ts";
import type { PushConfigs } from "./push-configs.ts";

export type { CallContext, Caller, ProtocolVersion } from "./call-context.ts";
export type { NumberedFrame };

/** A message that starts a new task. */
export interface Submission {
  readonly message: Message;
  /** The conversation to join; absent: the executor makes a new one. */
  readonly contextId?: string;
  /** Media types the caller can take; absent: any. */
  readonly acceptedOutputModes?: readonly string[];
  /**
   * How the answer is to travel; absent: whole and when it is there. Executors read nothing from it, but it is part of
   * what an idempotency key identifies (A15: the same configuration).
   */
  readonly delivery?: Pick<SendMessageConfiguration, "historyLength" | "returnImmediately">;
  /** Request metadata (`skill`, `model` and others, B13) merged over the message's own. */
  readonly metadata?: Metadata;
  /**
   * A15: same caller class, same key, same request → the same task, with `replayFrom` in its reading. A
   * different request under the key is `A2AError` -32602. Executors look at the key before anything else, so that a
   * repeated reply finds its task although that no longer waits.
   */
  readonly idempotencyKey?: string;
  /**
   * A webhook of the task that this message starts or goes to, of the caller's version. Executors make it durable with
   * the acceptance, so that no update is missed; it is part of what an idempotency key identifies. Refused as
   * `PushConfigs.set` refuses, and then nothing was accepted. Never present for executors without `pushConfigs`.
   */
  readonly pushConfig?: InlinePushConfig;
}

/** Which tasks a caller wants to see; read, with the defaults filled in. */
export interface TaskQuery {
  readonly contextId?: string;
  readonly status?: TaskState;
  /** 1 to 100. */
  readonly pageSize: number;
  /** A `nextPageToken` of an earlier page; absent: the first page. */
  readonly pageToken?: string;
  /** Only tasks whose status timestamp is this or later; milliseconds since 1970. */
  readonly statusSince?: number;
  /** As in the request; the handler cuts the history, so this is for what an executor need not read or count. */
  readonly historyLength?: number;
  /** false: artifacts may be left out; the handler drops them. */
  readonly includeArtifacts: boolean;
}

/** A task as it stood after its event number `seq`. */
export interface TaskSnapshot {
  readonly task: Task;
  readonly seq: number;
}

/** A view of one task: what it is now, what it was, what comes. */
export interface TaskReading {
  /** The task now. */
  readonly now: TaskSnapshot;
  /**
   * About how many bytes the Task is long; absent: not known. A long one is made by one reader after the other, and read
   * again through `AgentExecutor.read` when its opening was sent, so that a stream which is not read keeps none in memory.
   */
  readonly bytes?: number;
  /**
   * Present when an idempotency key named a message accepted earlier: the number of the event that acceptance made.
   * A stream of the repeated request starts there (A15), or at the caller's cursor.
   */
  readonly replayFrom?: number | undefined;
  /**
   * The task as of event `seq`, clamped to its first event and to the present. A20: what a resubscriber with a
   * cursor is shown first.
   */
  at(seq: number): Promise<TaskSnapshot>;
  /**
   * Frames with a number greater than `after`, in order, without gap or repeat, first from the past and then live.
   * Ends by itself after the frame of a terminal or interrupted state that is still the task's current state (see
   * `untilTerminal`). Backpressure is the reader's pull; an executor must not buffer without bound for a slow one.
   */
  follow(after: number, signal: AbortSignal, options?: FollowOptions): AsyncIterable<NumberedFrame>;
  /** Resolves with the task once it is terminal or interrupted (at once if it is); rejects only when aborted. */
  settled(signal?: AbortSignal): Promise<Task>;
}

/** An answer that makes no task: a message, and nothing more happens (A2A 1.0.1, 3.1.1). */
export interface DirectReply {
  readonly message: Message;
}

/** How a stream of a task is read. */
export interface FollowOptions {
  /** true: stays open while the task waits for input, and ends with its terminal state only. Default false. */
  readonly untilTerminal?: boolean;
}

/** The port to the agent: accepts messages, reads tasks, delivers replies, cancels. */
export interface AgentExecutor {
  /**
   * Accepts a message as a new task. Resolves once the acceptance is durable; the task then runs by itself. Or answers
   * it with a message of its own, and then there is no task to read, cancel or subscribe to: for what is known at once.
   * Under the same idempotency key the same message comes again.
   */
  submit(submission: Submission, call: CallContext): Promise<TaskReading | DirectReply>;
  /** The task, or undefined where it does not exist for this caller (A16: forbidden looks absent). */
  read(taskId: string, call: CallContext): Promise<TaskReading | undefined>;
  /**
   * Delivers a reply to a task that waits for one. Rejects with `A2AError` -32002 when the prompt it names is no
   * longer pending, with -32001 when the task does not exist for this caller, and with `TaskNotWaitingError` when the
   * task does not wait (the handler then decides by version: A9).
   */
  answer(taskId: string, reply: Submission, call: CallContext): Promise<TaskReading>;
  /**
   * Gives a message to a working task, which reads it when it next asks its model (A9 for 1.0). Rejects
   * with `A2AError` -32001 and -32004 where the task does not exist for this caller or is over. Without this method
   * such messages are refused with -32004.
   */
  steer?(taskId: string, message: Submission, call: CallContext): Promise<TaskReading>;
  /**
   * Cancels; absorbing states stay as they are. The reading shows the state after the cancel is durable. Rejects with
   * `A2AError` -32001 where the task does not exist for this caller.
   */
  cancel(taskId: string, call: CallContext): Promise<TaskReading>;
  /**
   * The tasks the caller may see (A16), newest status first, one page of them. Rejects with `A2AError` -32602 for
   * a page token it did not make. Without this method ListTasks is refused with -32004.
   */
  list?(query: TaskQuery, call: CallContext): Promise<ListTasksResponse>;
  /** The webhooks of tasks. Without it push notifications are refused with -32003. */
  readonly pushConfigs?: PushConfigs;
}
