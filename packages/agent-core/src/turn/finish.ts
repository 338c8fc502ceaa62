/** How a turn ends with an answer: one commit of what waits, the answer and the end (EN8). */

import { messageBody, type StoredMessage } from "../context/index.ts";
import type { AnswerPart, TaskEvent, TaskTotals } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import { commitTurn } from "./commit.ts";
import { totals } from "./end-turn.ts";
import { REPAIR_ROUNDS, readStructuredAnswer } from "./step/structured-answer.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { CommittingTurn, TurnState } from "./turn-state.ts";

/** What ending a turn needs of it. */
type EndingTurn = CommittingTurn & Pick<TurnState, "account">;
type CommitDeps = Pick<TurnDeps, "journal" | "clock" | "log">;

/** The answer when the model returned no text at all. */
export const EMPTY_ANSWER = "(The model gave an empty answer.)";

/** Adds a message for the model to the conversation; it is stored with the next commit. */
export function addNote(
  { record, conversation, carry }: Pick<TurnState, "record" | "conversation" | "carry">,
  deps: Pick<TurnDeps, "journal" | "clock">,
  { guard, text }: { readonly guard: string; readonly text: string },
): void {
  conversation.messages.push({ role: "user", content: [{ kind: "text", text }] });
  carry.events.push({ kind: "guard.noted", guard, text });
  carry.statements.push(messageRow(record, deps, "note", messageBody({ kind: "note", text })));
}

export function messageRow(
  { view: { id: task, class: callerClass, context } }: TaskRecord,
  deps: Pick<TurnDeps, "journal" | "clock">,
  kind: StoredMessage["kind"],
  body: string,
) {
  return deps.journal.statements.insertMessage.bind({
    class: callerClass,
    context,
    task,
    kind,
    body,
    at: deps.clock.now(),
  });
}

function totalsOf({ record, account, carry }: EndingTurn, { clock }: CommitDeps): TaskTotals {
  return totals(record, { usage: account.usage, now: clock.now(), pending: carry.events });
}

/** Ends the turn, completed, with these parts. */
export async function complete(
  state: EndingTurn,
  deps: CommitDeps,
  parts: readonly AnswerPart[],
  note?: string,
): Promise<void> {
  const end: TaskEvent = {
    kind: "task.completed",
    ...totalsOf(state, deps),
    ...(note === undefined ? {} : { note }),
  };
  await commitTurn(state, deps, { label: "turn.close", events: [{ kind: "answer", parts }, end] });
}

/** Ends the turn, failed. */
export async function fail(
  state: EndingTurn,
  deps: CommitDeps,
  failure: { code: string; message: string },
): Promise<void> {
  const sum = totalsOf(state, deps);
  await commitTurn(state, deps, { label: "turn.close", events: [{ kind: "task.failed", failure, ...sum }] });
}

/**
 * Ends the turn of a role that asks for more tool rounds than it has: its last text is the answer, marked as partial
 * (B53 `subagents.<name>.max_turns`).
 */
export async function stopPartial(
  state: EndingTurn & Pick<TurnState, "conversation" | "counts">,
  deps: CommitDeps,
  lastText: string,
): Promise<void> {
  const before = state.conversation.messages.findLast((message) => message.role === "assistant" && message.text !== "");
  const text = lastText !== "" ? lastText : before?.role === "assistant" ? before.text : "";
  const { rounds } = state.counts;
  const count = rounds === 1 ? "1 tool round" : `${rounds} tool rounds`;
  const mark = `[Partial: stopped after ${count}, the limit of this role.]`;
  const answer = text === "" ? mark : `${text}\n\n${mark}`;
  state.carry.events.push({ kind: "guard.noted", guard: "max_turns", text: mark });
  state.carry.statements.push(
    messageRow(state.record, deps, "assistant", messageBody({ kind: "assistant", text: answer })),
  );
  await complete(state, deps, [{ kind: "text", text: answer }], mark);
}

/** Ends the turn, completed, because a call of it did (`endsTurn`): the text of the message that called is the answer. */
export async function completeByCall(
  state: EndingTurn & Pick<TurnState, "conversation">,
  deps: CommitDeps,
  result: string,
): Promise<void> {
  const last = state.conversation.messages.findLast(({ role }) => role === "assistant");
  const text = last?.role === "assistant" ? last.text : "";
  await complete(state, deps, [{ kind: "text", text: text.trim() === "" ? result : text }]);
}

/** A reply without tool calls. */
interface FinalReply {
  readonly text: string;
  readonly finish: string;
  /** It was ended at the most characters an answer may have. */
  readonly cut: boolean;
}

function noteOf({ finish, cut }: FinalReply, { limits }: Pick<TurnDeps, "limits">): string | undefined {
  if (cut) return `The answer was cut off at ${limits.maxAnswerChars.toLocaleString("en-US")} characters.`;
  if (finish === "length") return "The answer was cut off at the model's output limit.";
  if (finish === "content-filter") return "The answer was cut off by the provider's content filter.";
  return undefined;
}

/**
 * Takes a reply without tool calls. Returns false when the turn continues (a structured answer is being repaired).
 * @throws DetachedError
 */
export async function takeAnswer(
  state: EndingTurn & Pick<TurnState, "options" | "conversation" | "counts">,
  deps: CommitDeps & Pick<TurnDeps, "limits">,
  reply: FinalReply,
): Promise<boolean> {
  const { conversation, counts } = state;
  const { text } = reply;
  const note = noteOf(reply, deps);
  state.carry.statements.push(messageRow(state.record, deps, "assistant", messageBody({ kind: "assistant", text })));
  conversation.messages.push({ role: "assistant", text });
  const skill = state.options.skill;
  if (skill === undefined) {
    // A stop sequence at the very beginning leaves no text, and that is what was asked for.
    const shown = text === "" && state.options.stop === undefined ? lastResult(conversation) : text;
    await complete(state, deps, [{ kind: "text", text: shown }], note);
    return true;
  }
  const answer = readStructuredAnswer(skill, text);
  if (answer.ok) {
    await complete(state, deps, [{ kind: "data", data: answer.data, mediaType: skill.resultMime }], note);
    return true;
  }
  if (counts.repairs >= REPAIR_ROUNDS) {
    const asked = skill.id === undefined ? "the schema that was asked for" : `the schema of skill ${skill.id}`;
    const message = `The answer did not fit ${asked}: ${answer.reason}`;
    await fail(state, deps, { code: "answer_does_not_fit", message });
    return true;
  }
  counts.repairs++;
  const correction = `Your answer did not fit: ${answer.reason}. Answer again with only the corrected JSON.`;
  addNote(state, deps, { guard: "structured_answer", text: correction });
  return false;
}

/** What an empty reply after tool calls is answered with: their last result. */
function lastResult({ messages }: Pick<TurnState["conversation"], "messages">): string {
  const last = messages.findLast((message) => message.role === "tool");
  return last?.role === "tool" && last.text !== "" ? last.text : EMPTY_ANSWER;
}
