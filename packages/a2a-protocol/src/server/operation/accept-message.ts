/** What a message means, and to which task it goes. Version-neutral but for A9. */
import { A2AError, invalidParams, promptNotPending, TaskNotWaitingError, taskNotFound } from "../../error/index.ts";
import type { Message, Metadata, SendMessageRequest } from "../../message/index.ts";
import { isTerminal } from "../../task/index.ts";
import type { AgentExecutor, CallContext, DirectReply, Submission, TaskReading } from "../executor.ts";

const MAX_KEY = 255;

/**
 * Hands a message to the executor (A9): as a new task, as the reply to a parked one, or, for a task that does
 * not wait, as steering of it (1.0) or as a new task in its context (0.3). Throws `A2AError` and what the executor
 * throws.
 */
export async function acceptMessage(
  executor: AgentExecutor,
  request: SendMessageRequest,
  call: CallContext,
  keyHeader: string | null,
): Promise<TaskReading | DirectReply> {
  const { message } = request;
  const submission = toSubmission(request, keyHeader, executor);
  if (message.taskId === undefined) return executor.submit(submission, call);
  const reading = await executor.read(message.taskId, call);
  if (reading === undefined) {
    if (call.version === "1.0") throw taskNotFound(message.taskId);
    const promptId = namedPrompt(message);
    if (promptId !== undefined) throw promptNotPending(promptId);
    return executor.submit(withoutTask(submission, message.contextId), call);
  }
  const { contextId } = reading.now.task;
  if (message.contextId !== undefined && message.contextId !== contextId) {
    throw invalidParams("params.message.contextId: is not the context of the task named by taskId");
  }
  try {
    return await executor.answer(message.taskId, submission, call);
  } catch (error) {
    if (!(error instanceof TaskNotWaitingError)) throw error;
    if (call.version === "1.0") return steer(executor, message.taskId, submission, call);
    return executor.submit(withoutTask(submission, contextId), call);
  }
}

/** Gives a message to a working task. Throws `A2AError` UNSUPPORTED_OPERATION where nothing reads it any more. */
async function steer(
  executor: AgentExecutor,
  taskId: string,
  submission: Submission,
  call: CallContext,
): Promise<TaskReading> {
  const named = namedPrompt(submission.message);
  if (named !== undefined) throw promptNotPending(named);
  const reading = await executor.read(taskId, call);
  if (reading === undefined) throw taskNotFound(taskId);
  if (isTerminal(reading.now.task.status.state)) {
    throw new A2AError("UNSUPPORTED_OPERATION", "The task is over and takes no further message");
  }
  if (executor.steer === undefined) {
    throw new A2AError("UNSUPPORTED_OPERATION", "The task is at work and takes no message meanwhile");
  }
  return executor.steer(taskId, submission, call);
}

/** The prompt a reply names in a data part `{promptId, answer}` (A13). */
export function namedPrompt(message: Message): string | undefined {
  for (const part of message.parts) {
    if (!("data" in part) || typeof part.data !== "object" || part.data === null) continue;
    const { promptId } = part.data as { promptId?: unknown };
    if (typeof promptId === "string") return promptId;
  }
  return undefined;
}

function toSubmission(request: SendMessageRequest, keyHeader: string | null, executor: AgentExecutor): Submission {
  const { message, configuration } = request;
  const metadata = merged(message.metadata, request.metadata);
  const idempotencyKey = keyHeader ?? metadata?.idempotencyKey ?? undefined;
  if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
    throw invalidParams(`Idempotency-Key: must be a string of 1 to ${MAX_KEY} characters, none a control`);
  }
  const { taskPushNotificationConfig: pushConfig, historyLength, returnImmediately } = configuration ?? {};
  const immediately = returnImmediately === true;
  // Dropping it in silence would have the caller wait for what never comes.
  if (pushConfig !== undefined && executor.pushConfigs === undefined) {
    throw new A2AError("PUSH_NOTIFICATION_NOT_SUPPORTED");
  }
  return {
    message,
    ...(message.contextId !== undefined && { contextId: message.contextId }),
    ...(configuration?.acceptedOutputModes && { acceptedOutputModes: configuration.acceptedOutputModes }),
    ...((historyLength !== undefined || immediately) && {
      delivery: { ...(historyLength !== undefined && { historyLength }), ...(immediately && { returnImmediately }) },
    }),
    ...(metadata && { metadata }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(pushConfig && { pushConfig }),
  };
}

/** The submission as a new task: a message of one task is not a message of another. */
function withoutTask(submission: Submission, contextId: string | undefined): Submission {
  const { taskId: _, contextId: __, ...rest } = submission.message;
  const context = contextId === undefined ? undefined : { contextId };
  return { ...submission, message: { ...rest, ...context }, ...context };
}

/** Request metadata wins over the message's own. */
function merged(own: Metadata | undefined, request: Metadata | undefined): Metadata | undefined {
  return own && request ? { ...own, ...request } : (request ?? own);
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_KEY && !/\p{Cc}/u.test(value);
}

/** A20's cursor. Throws `A2AError` INVALID_PARAMS for a header that is no sequence number. */
export function cursorFrom(header: string | null): number | undefined {
  if (header === null || header === "") return undefined;
  const seq = /^\d{1,15}$/.test(header) ? Number(header) : undefined;
  if (seq === undefined) throw new A2AError("INVALID_PARAMS", "Last-Event-ID: must be a sequence number");
  return seq;
}
