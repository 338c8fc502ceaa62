/** What a settled task says to a caller of this wire: an answer or a question, why it stops, and what it cost. */
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

/** Who reads. */
export interface ChatReader {
  /** False for a federation caller, who is told that an approval waits but not of what (A13). */
  readonly mayApprove: boolean;
}

/** Why an answer ends, in the words of this wire. */
export type FinishReason = "stop" | "length" | "content_filter";

/** The end of an answer. */
export interface ChatOutcome {
  /** The whole text. */
  readonly text: string;
  /** The text asks something, and the task waits for a person. */
  readonly question: boolean;
  readonly finish: FinishReason;
  readonly usage: TaskUsage;
}

/** The text of an answer; data is told as JSON. */
export function answerText(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data))).join("\n");
}

/** A question as text alone: what is asked, what would happen, and the schemas that an answer to a form has to fit. */
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
  // A note says by what limit an answer was cut.
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

/** The outcome of a task that is parked or over; undefined: it goes on. @throws ApiError when it failed or was canceled */
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
    // Parked, and answered by somebody before this could look.
    if (outcome !== undefined) return outcome;
  }
}
