/**
 * The effect of a reply on a parked task (A13). Pure: reads the committed view and returns what to commit.
 */
import type { ParkAnswer } from "@agent-service/plugin-sdk";
import { readAnswer, replyOf } from "../approval/index.ts";
import type { Statement } from "../database/index.ts";
import type { CallOutcome, InputMessage, PendingPrompt, TaskEvent } from "../event/index.ts";
import type { Change, TaskRecord } from "../journal/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { callDigest, clipText, RESULT_CHARS } from "../tool/index.ts";
import { callFinished, closeCallRow, type StoredAnswer, type TurnDeps } from "../turn/index.ts";
import { TaskError } from "./task-error.ts";

/** A reply as it came in. */
export interface PromptReply {
  /** Who answers: only the operator class decides about approvals. */
  readonly class: string;
  /** The prompt answered; absent: the one shown. */
  readonly promptId?: string;
  readonly input: InputMessage;
  /** Canonical, valid arguments that an approved call is made with instead of its own (O3). */
  readonly edit?: string;
  /** Becomes durable with the answer. */
  readonly alongside?: readonly Statement[];
}

/** What to commit; `resumes`: nothing is pending any more and the turn continues. */
export interface AnsweredPrompt {
  readonly change: Change;
  readonly resumes: boolean;
}

/** Characters of a reply as JSON: it stays with its task, and tasks are read whole (EN10). */
export const MAX_REPLY_CHARS = 256 * 1024;

interface CallEnd {
  readonly outcome: CallOutcome;
  readonly text: string;
  /** The person's comment, for the model; not part of events, which peers see too (A13). */
  readonly note?: string;
}

/** The result of the answered call, where there is one at once; undefined: it runs (or continues) when the turn does. */
function callEnd(prompt: PendingPrompt, answer: ParkAnswer, deps: TurnDeps, tool: string): CallEnd | undefined {
  if (prompt.reason === "inside") {
    const asking = deps.toolbox.get(tool);
    if (asking?.resume !== undefined) return undefined;
    // The answer was for the tool, which alone knows what became of the call.
    if (asking === undefined) return { outcome: "unknown", text: goneText(tool) };
    if (answer.kind === "question") return { outcome: "ok", text: clipText(answer.text, RESULT_CHARS) };
    if (answer.kind === "form") {
      if (answer.declined === true) return { outcome: "ok", text: "declined", ...noteOf(answer) };
      return { outcome: "ok", text: clipText(JSON.stringify(answer.values), RESULT_CHARS) };
    }
    return { outcome: "ok", text: answer.approved ? "approved" : "declined" };
  }
  if (answer.kind === "approval" && answer.approved) return undefined;
  const isUndone = prompt.payload.kind === "approval" && prompt.payload.notRun === true;
  if (prompt.reason === "before" || isUndone) {
    const text = "A person declined this call. It was not run; do not try it again unless asked to.";
    return { outcome: "denied", text, ...noteOf(answer) };
  }
  const text = "The call was interrupted and may have happened; a person decided not to run it again.";
  return { outcome: "unknown", text, ...noteOf(answer) };
}

function goneText(tool: string): string {
  return `There is no tool named ${tool} any more: the answer reached nobody, and whether the call did something is not known.`;
}

function noteOf(answer: ParkAnswer): { note?: string } {
  const note = answer.kind === "question" ? undefined : answer.note;
  return note === undefined ? {} : { note };
}

function closeAnswered(record: TaskRecord, prompt: PendingPrompt, name: string, end: CallEnd, deps: TurnDeps) {
  const at = deps.clock.now();
  const args = prompt.payload.kind === "approval" ? JSON.stringify(prompt.payload.args) : "{}";
  const call = {
    id: prompt.callId,
    name,
    args,
    digest: callDigest(name, args),
    stored: prompt.reason !== "before",
    startedAt: record.view.statusAt,
    parent: prompt.parentCall,
  };
  const { outcome, text, note } = end;
  const read = note === undefined ? text : `${text}\nThey say: ${note}`;
  return {
    events: callFinished(call, { outcome, text, at, title: titleOf(prompt, name, end, deps) }),
    row: closeCallRow(deps.journal.statements, record, call, { outcome, text: read, at }),
  };
}

/** What people read of the answered call: its tool's words for what was asked; undefined: those from its start stay. */
function titleOf({ payload }: PendingPrompt, name: string, { outcome, text }: CallEnd, { toolbox }: TurnDeps) {
  const present = outcome === "ok" ? toolbox.presenter(name) : undefined;
  return present?.("done", { input: payload, result: text });
}

function rejected(prompt: PendingPrompt, reason: string): AnsweredPrompt {
  return {
    change: { label: "task.answer-rejected", events: [{ kind: "prompt.rejected", prompt, reason }] },
    resumes: false,
  };
}

/** The prompt of this id, of none the one shown; "gone": it is not pending any more. */
function promptOf({ view: { prompts } }: TaskRecord, wanted: string | undefined): PendingPrompt | "gone" | undefined {
  if (wanted === undefined) return prompts[0];
  return prompts.find(({ promptId }) => promptId === wanted) ?? "gone";
}

/** The prompt that a reply answers; undefined: none that is pending. */
export function answeredPrompt(record: TaskRecord, reply: PromptReply): PendingPrompt | undefined {
  const prompt = promptOf(record, reply.promptId ?? replyOf(reply.input).promptId);
  return prompt === "gone" ? undefined : prompt;
}

/**
 * The change a reply makes; undefined: none, because this class may not decide about this prompt.
 * @throws TaskError not_waiting, prompt_gone
 */
export function answerChange(
  record: TaskRecord,
  reply: PromptReply,
  deps: TurnDeps,
  resumeState: "running" | "queued",
): AnsweredPrompt | undefined {
  const { prompts, state } = record.view;
  const given = replyOf(reply.input);
  const prompt = promptOf(record, reply.promptId ?? given.promptId);
  if (prompt === "gone") throw new TaskError("prompt_gone", "the prompt is no longer pending");
  if (state !== "parked" || prompt === undefined)
    throw new TaskError("not_waiting", "the task does not wait for an answer");
  if (prompt.payload.kind === "approval" && reply.class !== OPERATOR_CLASS) return undefined;
  if (JSON.stringify(reply.input).length > MAX_REPLY_CHARS) {
    return rejected(prompt, `The reply is longer than ${MAX_REPLY_CHARS / 1024} KiB.`);
  }
  const reading = readAnswer(prompt.payload, given, (warning) => deps.log.warn(warning));
  if (!reading.ok) return rejected(prompt, reading.reason);

  const tool = prompt.tool;
  const remaining = prompts.filter((other) => other !== prompt);
  const at = deps.clock.now();
  const answered: TaskEvent = {
    kind: "prompt.answered",
    promptId: prompt.promptId,
    answer: reply.input,
    state: remaining.length > 0 ? "parked" : resumeState,
  };
  const events: TaskEvent[] = [answered];
  const stored: StoredAnswer = {
    ...reading.answer,
    seq: record.view.seq,
    ...(reply.edit === undefined ? {} : { args: reply.edit }),
  };
  const statements: Statement[] = [
    deps.journal.statements.answerPrompt.bind({ id: prompt.promptId, answer: JSON.stringify(stored), at }),
    ...(reply.alongside ?? []),
  ];
  const end = callEnd(prompt, reading.answer, deps, tool);
  if (end !== undefined) {
    const closed = closeAnswered(record, prompt, tool, end, deps);
    events.push(...closed.events);
    statements.push(closed.row);
  }
  if (remaining.length > 0) events.push({ kind: "task.parked", prompts: remaining });
  return { change: { label: "task.answer", events, statements }, resumes: remaining.length === 0 };
}
