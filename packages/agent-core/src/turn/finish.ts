/** How a turn ends with an answer: one commit of what waits, the answer and the end (E8). */

import { messageBody, type StoredMessage } from "../context/index.ts";
import type { AnswerPart, TaskEvent, TaskTotals } from "../event/index.ts";
import { commitTurn } from "./commit.ts";
import { totals } from "./end-turn.ts";
import { REPAIR_ROUNDS, readStructuredAnswer } from "./structured-answer.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";

/** What the caller reads when the model said nothing at all. */
const EMPTY_ANSWER = "(The model gave an empty answer.)";

/** Adds a message the model is shown to the conversation, with the next commit. */
export function addNote(state: TurnState, deps: TurnDeps, guard: string, text: string): void {
  state.messages.push({ role: "user", content: [{ kind: "text", text }] });
  state.carry.events.push({ kind: "guard.noted", guard, text });
  state.carry.statements.push(messageRow(state, deps, "note", messageBody({ kind: "note", text })));
}

/** The row of a message of this turn. */
export function messageRow(state: TurnState, deps: TurnDeps, kind: StoredMessage["kind"], body: string) {
  const { id: task, class: callerClass, context } = state.record.view;
  return deps.journal.statements.insertMessage.bind({
    class: callerClass,
    context,
    task,
    kind,
    body,
    at: deps.clock.now(),
  });
}

function totalsOf({ record, usage, carry }: TurnState, { clock }: TurnDeps): TaskTotals {
  return totals(record, { usage, now: clock.now(), pending: carry.events });
}

/** Ends the turn, completed, with these parts. */
export async function complete(
  state: TurnState,
  deps: TurnDeps,
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
  state: TurnState,
  deps: TurnDeps,
  failure: { code: string; message: string },
): Promise<void> {
  const sum = totalsOf(state, deps);
  await commitTurn(state, deps, { label: "turn.close", events: [{ kind: "task.failed", failure, ...sum }] });
}

/**
 * Ends the turn of a role that asks for more tool rounds than it has: the last it said is its answer, marked as partial
 * (document 3 `subagents.<name>.max_turns`).
 */
export async function stopPartial(state: TurnState, deps: TurnDeps, said: string): Promise<void> {
  const before = state.messages.findLast((message) => message.role === "assistant" && message.text !== "");
  const text = said !== "" ? said : before?.role === "assistant" ? before.text : "";
  const rounds = state.rounds === 1 ? "1 tool round" : `${state.rounds} tool rounds`;
  const mark = `[Partial: stopped after ${rounds}, the limit of this role.]`;
  const answer = text === "" ? mark : `${text}\n\n${mark}`;
  state.carry.events.push({ kind: "guard.noted", guard: "max_turns", text: mark });
  state.carry.statements.push(messageRow(state, deps, "assistant", messageBody({ kind: "assistant", text: answer })));
  await complete(state, deps, [{ kind: "text", text: answer }], mark);
}

/** Ends the turn, completed, because a call of it did (`endsTurn`): what the model said with it is the answer. */
export async function completeByCall(state: TurnState, deps: TurnDeps, result: string): Promise<void> {
  const last = state.messages.findLast(({ role }) => role === "assistant");
  const said = last?.role === "assistant" ? last.text : "";
  await complete(state, deps, [{ kind: "text", text: said.trim() === "" ? result : said }]);
}

/** A reply without tool calls. */
interface FinalReply {
  readonly text: string;
  readonly finish: string;
  /** It was ended at the most characters an answer may have. */
  readonly cut: boolean;
}

function noteOf({ finish, cut }: FinalReply, { limits }: TurnDeps): string | undefined {
  if (cut) return `The answer was cut off at ${limits.maxAnswerChars.toLocaleString("en-US")} characters.`;
  if (finish === "length") return "The answer was cut off at the model's output limit.";
  if (finish === "content-filter") return "The answer was cut off by the provider's content filter.";
  return undefined;
}

/**
 * Takes a reply without tool calls. Returns false when the turn goes on (a structured answer is being repaired).
 * @throws DetachedError
 */
export async function takeAnswer(state: TurnState, deps: TurnDeps, reply: FinalReply): Promise<boolean> {
  const { text } = reply;
  const note = noteOf(reply, deps);
  state.carry.statements.push(messageRow(state, deps, "assistant", messageBody({ kind: "assistant", text })));
  state.messages.push({ role: "assistant", text });
  const skill = state.options.skill;
  if (skill === undefined) {
    // A stop sequence at the very beginning leaves no text, and that is what was asked for.
    const shown = text === "" && state.options.stop === undefined ? lastResult(state) : text;
    await complete(state, deps, [{ kind: "text", text: shown }], note);
    return true;
  }
  const answer = readStructuredAnswer(skill, text);
  if (answer.ok) {
    await complete(state, deps, [{ kind: "data", data: answer.data, mediaType: skill.resultMime }], note);
    return true;
  }
  if (state.repairs >= REPAIR_ROUNDS) {
    const asked = skill.id === undefined ? "the schema that was asked for" : `the schema of skill ${skill.id}`;
    const message = `The answer did not fit ${asked}: ${answer.reason}`;
    await fail(state, deps, { code: "answer_does_not_fit", message });
    return true;
  }
  state.repairs++;
  addNote(
    state,
    deps,
    "structured_answer",
    `Your answer did not fit: ${answer.reason}. Answer again with only the corrected JSON.`,
  );
  return false;
}

/** An empty reply after tool calls: the last result says more than nothing. */
function lastResult(state: TurnState): string {
  const last = state.messages.findLast((message) => message.role === "tool");
  return last?.role === "tool" && last.text !== "" ? last.text : EMPTY_ANSWER;
}
