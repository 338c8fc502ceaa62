/** One run of an agent function over one task in memory: steps in, frames out, questions parked. */
import { promptNotPending, TaskNotWaitingError } from "../../error/index.ts";
import type { Message, Part } from "../../message/index.ts";
import type { StreamResponse } from "../../stream/index.ts";
import { isInterrupted, type TaskState } from "../../task/index.ts";
import type { DirectReply, Submission } from "../executor.ts";
import { namedPrompt } from "../operation/accept-message.ts";
import type { AgentFunction, AgentMessage, AgentStep, AgentTurn } from "./agent-function.ts";
import type { InMemoryTask } from "./in-memory-task.ts";

/** Media type of the data part that carries a question (A13). */
export const HITL_MEDIA_TYPE = "application/vnd.agent-service.hitl-v1+json";

export interface InMemoryRun {
  /** The message that is the whole answer, or undefined for a working task. Rejects where the agent decided neither. */
  readonly opened: Promise<DirectReply | undefined>;
  /** Throws `TaskNotWaitingError`, and `A2AError` -32002 for a prompt that is not the pending one. */
  answer(reply: Submission): void;
  cancel(): void;
}

export interface RunSettings {
  readonly agent: AgentFunction;
  readonly submission: Submission;
  readonly record: InMemoryTask;
  /** Most events the task may have; beyond it the task fails. */
  readonly maxEvents: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the reason why an agent failed. */
  readonly onError: (error: unknown) => void;
}

/** Starts the agent; it then runs by itself and its task ends in a stated way. */
export function startRun({ agent, submission, record, maxEvents, now, onError }: RunSettings): InMemoryRun {
  const { id: taskId, contextId } = record.task();
  const abort = new AbortController();
  let pending: { readonly promptId: string; readonly resolve: (reply: string) => void } | undefined;
  let answerText: string | undefined;
  let artifacts = 0;
  let isTask = false;

  const { status, artifact } = frameMaker(taskId, contextId, now);

  function take(step: AgentStep): void {
    if (record.lastSeq() >= maxEvents) throw new RangeError(`A task has at most ${maxEvents} events`);
    if ("status" in step) {
      record.emit(status("TASK_STATE_WORKING", [{ text: step.status }]));
    } else if ("artifact" in step) {
      const { name } = step.artifact;
      const parts = "parts" in step.artifact ? step.artifact.parts : [{ text: step.artifact.text }];
      record.emit(artifact(`artifact-${++artifacts}`, parts, WHOLE, name));
    } else if (step.text !== "") {
      record.emit(artifact("answer", [{ text: step.text }], answerText === undefined ? {} : MORE));
      answerText = (answerText ?? "") + step.text;
    }
  }

  function ask(question: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (abort.signal.aborted) return reject(abort.signal.reason);
      if (!isTask) return reject(new Error("There is no task yet that could wait for an answer"));
      if (pending !== undefined) return reject(new Error("The task waits for another answer already"));
      const promptId = crypto.randomUUID();
      pending = { promptId, resolve };
      abort.signal.addEventListener("abort", () => reject(abort.signal.reason), { once: true });
      const data = { kind: "question", promptId, question };
      record.emit(status("TASK_STATE_INPUT_REQUIRED", [{ text: question }, { data, mediaType: HITL_MEDIA_TYPE }]));
    });
  }

  async function open(): Promise<DirectReply | undefined> {
    const turn: AgentTurn = { ...textAndMessage(submission), taskId, contextId, signal: abort.signal, ask };
    const made = await agent(turn);
    if ("message" in made) return { message: directMessage(made, contextId) };
    isTask = true;
    void work(made);
    return undefined;
  }

  async function work(steps: AsyncIterable<AgentStep>): Promise<void> {
    try {
      for await (const step of steps) {
        if (abort.signal.aborted) return;
        take(step);
      }
      if (answerText !== undefined) record.emit(artifact("answer", [{ text: answerText }], WHOLE));
      record.emit(status("TASK_STATE_COMPLETED"));
    } catch (error) {
      if (abort.signal.aborted) return;
      onError(error);
      record.emit(status("TASK_STATE_FAILED", [{ text: "The agent failed" }]));
    }
  }

  return {
    opened: open(),
    answer({ message }) {
      const named = namedPrompt(message);
      if (named !== undefined && named !== pending?.promptId) throw promptNotPending(named);
      if (pending === undefined || !isInterrupted(record.task().status.state)) throw new TaskNotWaitingError(taskId);
      const { resolve } = pending;
      pending = undefined;
      record.remember(message);
      record.emit(status("TASK_STATE_WORKING"));
      resolve(replyOf(message));
    },
    cancel() {
      pending = undefined;
      record.emit(status("TASK_STATE_CANCELED"));
      abort.abort();
    },
  };
}

/** What a frame brings of an artifact. The first piece makes it: clients add to none that they have not seen. */
const MORE = { append: true };
const WHOLE = { lastChunk: true };

function directMessage({ message }: AgentMessage, contextId: string): Message {
  const parts = typeof message === "string" ? [{ text: message }] : message;
  return { messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts, contextId };
}

function frameMaker(taskId: string, contextId: string, now: () => number) {
  function status(state: TaskState, parts?: readonly Part[]): StreamResponse {
    const message = parts && agentMessage(parts);
    const timestamp = new Date(now()).toISOString();
    return { statusUpdate: { taskId, contextId, status: { state, ...(message && { message }), timestamp } } };
  }
  function agentMessage(parts: readonly Part[]): Message {
    return { messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts, taskId, contextId };
  }
  function artifact(
    artifactId: string,
    parts: readonly Part[],
    mode: { readonly append?: boolean; readonly lastChunk?: boolean },
    name?: string,
  ): StreamResponse {
    const content = { artifactId, ...(name !== undefined && { name }), parts };
    return { artifactUpdate: { taskId, contextId, artifact: content, ...mode } };
  }
  return { status, artifact };
}

function textAndMessage({ message, metadata = {} }: Submission): Pick<AgentTurn, "text" | "message" | "metadata"> {
  return { text: textOf(message), message, metadata };
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}

/** The reply as text: the `answer` of a data part that names its prompt, else the text parts (A13). */
function replyOf(message: Message): string {
  for (const part of message.parts) {
    if (!("data" in part) || typeof part.data !== "object" || part.data === null) continue;
    const { answer } = part.data as { answer?: unknown };
    if (answer !== undefined) return typeof answer === "string" ? answer : JSON.stringify(answer);
  }
  return textOf(message);
}
