/** A request becomes a task, or the answer to the question its session waits with (rulings R1, V1, A9, A13, A15, A16). */
import {
  type InputMessage,
  NO_USAGE,
  type StartTask,
  TaskError,
  type TaskHandle,
  type TaskService,
  type TaskUsage,
} from "@agent-service/agent-core/host";
import type { ChatRequest } from "./chat-request.ts";
import { acceptanceError } from "./failure-error.ts";

/** A request that was accepted. */
export interface AcceptedChat {
  readonly task: TaskHandle;
  /** Number of the last event that happened before this request. */
  readonly after: number;
  /** Tokens the task had used before this request. */
  readonly usedBefore: TaskUsage;
}

/** Who asks, and with which model where the agent's own is not meant. */
export interface ChatCaller {
  readonly class: string;
  readonly model?: string;
  /** Where it stands in a trace: a valid `traceparent`. */
  readonly trace?: string | undefined;
}

const ORIGIN = "v1";

function newTask(
  request: ChatRequest,
  { class: callerClass, model, trace }: ChatCaller,
  input: InputMessage,
): StartTask {
  const { session, conversation, answer, key } = request;
  const { instructions, history } = conversation;
  return {
    class: callerClass,
    origin: ORIGIN,
    trace,
    ...(session === undefined ? { history } : { context: session }),
    input,
    options: {
      ...answer,
      ...(model === undefined ? {} : { model }),
      ...(instructions === undefined ? {} : { instructions }),
    },
    ...(key === undefined ? {} : { key }),
  };
}

/** The session's question answered; undefined: none waits any more. */
async function answerWaiting(
  tasks: TaskService,
  { session, key }: ChatRequest,
  { class: callerClass }: ChatCaller,
  input: InputMessage,
): Promise<AcceptedChat | undefined> {
  if (session === undefined) return undefined;
  const waiting = await tasks.parkedIn({ class: callerClass, context: session, origin: ORIGIN });
  if (waiting === undefined) return undefined;
  const { seq: after, usage: usedBefore } = waiting.view;
  try {
    const reply = { class: callerClass, input, ...(key === undefined ? {} : { key }) };
    const task = await tasks.answer(waiting.id, reply);
    return task.repeated ? repeated(task) : { task, after, usedBefore };
  } catch (error) {
    // Somebody else answered meanwhile: the message is one like any other (ruling A9).
    if (error instanceof TaskError && (error.code === "not_waiting" || error.code === "prompt_gone")) return undefined;
    throw error;
  }
}

/** Ruling A15: the same task, its stream from the start. */
function repeated(task: TaskHandle): AcceptedChat {
  return { task, after: 0, usedBefore: NO_USAGE };
}

/** Accepts a request. @throws ApiError when it cannot be accepted; nothing happened then */
export async function acceptChat(tasks: TaskService, request: ChatRequest, caller: ChatCaller): Promise<AcceptedChat> {
  const input: InputMessage = { messageId: crypto.randomUUID(), parts: request.conversation.input };
  try {
    const answered = await answerWaiting(tasks, request, caller, input);
    return answered ?? repeated(await tasks.start(newTask(request, caller, input)));
  } catch (error) {
    throw acceptanceError(error);
  }
}
