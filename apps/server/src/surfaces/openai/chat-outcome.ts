/** The outcome of a settled task for a chat client: an answer or a question, its finish reason, and its cost. */
import {
  type AnswerPart,
  hitlPayload,
  isTerminalState,
  type OpenedTurn,
  type PendingPrompt,
  promptText,
  type TaskUsage,
  type TaskView,
} from "@agent-service/agent-core/host";
import { failureError } from "./failure-error.ts";

/** The rights of the reader. */
export interface ChatReader {
  /** False for a federation caller, who sees that an approval waits but not its call (A13). */
  readonly mayApprove: boolean;
}

/** The `finish_reason` of an answer. */
export type FinishReason = "stop" | "length" | "content_filter";

export interface ChatOutcome {
  readonly text: string;
  /** The text is a question, and the task waits for a person. */
  readonly question: boolean;
  readonly finish: FinishReason;
  readonly usage: TaskUsage;
}

/** The text of an answer, with data as JSON. */
export function answerText(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data))).join("\n");
}

/** A question as text: what is asked, what would happen, and the schemas of a form. */
function questionText(prompt: PendingPrompt, rejection: string | undefined, reader: ChatReader): string {
  const lines = [rejection, promptText(prompt, reader)];
  const payload = hitlPayload(prompt, reader);
  if (payload.kind === "form") {
    const schemas = payload.steps.map(({ title, description, schema }) => ({ title, description, schema }));
    lines.push(payload.description, `Answer with JSON that fits: ${JSON.stringify(schemas)}`);
  }
  if (payload.kind === "approval" && reader.mayApprove) {
    lines.push(payload.detail, `${payload.tool}(${JSON.stringify(payload.args)})`, "Answer yes to approve.");
  }
  return lines.filter((line) => line !== undefined && line !== "").join("\n");
}

function finishOf(view: Readonly<TaskView>): FinishReason {
  // A note names the limit that cut an answer.
  if (view.note === undefined) return "stop";
  return view.finish === "content-filter" ? "content_filter" : "length";
}

function usedSince({ input, output, cacheRead, cacheWrite }: TaskUsage, before: TaskUsage): TaskUsage {
  return {
    input: input - before.input,
    output: output - before.output,
    cacheRead: cacheRead - before.cacheRead,
    cacheWrite: cacheWrite - before.cacheWrite,
  };
}

/** The outcome of a task that is parked or over; undefined: it is running. @throws ApiError when it failed or was canceled */
export function chatOutcome(chat: OpenedTurn, reader: ChatReader): ChatOutcome | undefined {
  const { view } = chat.task;
  const usage = usedSince(view.usage, chat.usedBefore);
  if (view.state === "parked") {
    const text = view.prompts.slice(0, 1).map((prompt) => questionText(prompt, view.rejection, reader));
    return { text: text.join(""), question: true, finish: "stop", usage };
  }
  if (view.state === "completed") {
    return { text: answerText(view.answer ?? []), question: false, finish: finishOf(view), usage };
  }
  if (isTerminalState(view.state)) throw failureError(view);
  return undefined;
}

/** Waits for the outcome. @throws ApiError */
export async function settledOutcome(chat: OpenedTurn, reader: ChatReader): Promise<ChatOutcome> {
  for (;;) {
    await chat.task.settled();
    const outcome = chatOutcome(chat, reader);
    // Parked, and answered by another caller meanwhile.
    if (outcome !== undefined) return outcome;
  }
}
