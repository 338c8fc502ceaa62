/**
 * Every prompt that waits for a person, of any surface and depth, and a person's decision about it (O3). Only the
 * operator uses it.
 */

import { randomUUID } from "node:crypto";
import {
  type ApprovalGrant,
  type ApprovalGrants,
  type ApprovalPosition,
  type PromptFilter,
  readAnswer,
  type WaitingPrompt,
  WaitingPrompts,
} from "../approval/index.ts";
import type { EventBus } from "../bus/index.ts";
import { CodedError } from "../error/index.ts";
import type { InputMessage, PendingPrompt } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import { canonicalJson } from "../json/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { callDigest, parseArguments } from "../tool/index.ts";
import { type ApprovalPreview, approvalPreview, type TurnDeps, toolboxOf } from "../turn/index.ts";
import { MAX_REPLY_CHARS } from "./answer-prompt.ts";
import type { RequestKey } from "./request-key.ts";
import { TaskError } from "./task-error.ts";
import type { TaskHandle } from "./task-handle.ts";
import type { TaskService } from "./task-service.ts";

/** What a person decides. */
export interface PromptDecision {
  readonly decision: "approve" | "decline" | "answer";
  /** To a question any text, to a form its values. */
  readonly answer?: unknown;
  /** The call is made with these arguments instead. */
  readonly args?: unknown;
  /** For the model to read. */
  readonly note?: string | undefined;
  /** From now on this tool needs no approval with these arguments, in tasks of this class. */
  readonly remember?: boolean;
}

/**
 * - `unfit`: the decision, the answer or the arguments do not fit what is asked.
 * - `stale`: it was decided already, or withdrawn with its task.
 * - `blocked`: settings forbid the call now.
 * - `full`: no more grants can be remembered.
 */
export type DecisionErrorCode = "unfit" | "stale" | "blocked" | "full";

/** Why a decision changed nothing. */
export class DecisionError extends CodedError<DecisionErrorCode> {
  override readonly name = "DecisionError";
}

export interface ApprovalInboxParts {
  readonly deps: TurnDeps;
  readonly service: TaskService;
  readonly grants: ApprovalGrants;
  readonly bus: EventBus;
}

export class ApprovalInbox {
  readonly #parts: ApprovalInboxParts;
  readonly #waiting: WaitingPrompts;

  constructor(parts: ApprovalInboxParts) {
    this.#parts = parts;
    this.#waiting = new WaitingPrompts(parts.deps.db);
  }

  /** A page of what waits, newest first. @throws DatabaseError */
  list(limit: number, before?: ApprovalPosition, filter?: PromptFilter): Promise<readonly WaitingPrompt[]> {
    return this.#waiting.list(limit, before, filter);
  }

  /** How many wait. @throws DatabaseError */
  count(): Promise<number> {
    return this.#waiting.count();
  }

  /** A page of grants, newest first. @throws DatabaseError */
  grants(limit: number, before?: ApprovalPosition): Promise<readonly ApprovalGrant[]> {
    return this.#parts.grants.list(limit, before);
  }

  /** Takes a grant back; false when there is none of this id. @throws DatabaseError */
  async revoke(id: string): Promise<boolean> {
    const revoked = await this.#parts.grants.revoke(id);
    if (revoked) this.#parts.bus.publish("approval.revoked", { id });
    return revoked;
  }

  /**
   * What the call that a prompt asks about would do, made now. Undefined: nothing of this id waits any more.
   * @throws DatabaseError
   */
  async preview(id: string): Promise<ApprovalPreview | undefined> {
    const { deps } = this.#parts;
    const found = await this.#waiting.find(id);
    const record = found?.waits === true ? await deps.journal.get(found.task) : undefined;
    const prompt = record?.view.prompts.find(({ promptId }) => promptId === id);
    return record && prompt && approvalPreview(record, prompt, deps);
  }

  /**
   * Decides; durable when it resolves. Undefined: there never was such a prompt. `key`: the same decision under it is
   * taken once, and is no stale one when it comes again.
   * @throws DecisionError, TaskError, DatabaseError
   */
  async decide(id: string, decision: PromptDecision, key?: RequestKey): Promise<TaskHandle | undefined> {
    const { deps, service, grants, bus } = this.#parts;
    const decided = key && (await service.byKey(OPERATOR_CLASS, key));
    if (decided !== undefined) return decided;
    const found = await this.#waiting.find(id);
    if (found === undefined) return undefined;
    const record = found.waits ? await deps.journal.get(found.task) : undefined;
    const prompt = record?.view.prompts.find(({ promptId }) => promptId === id);
    if (record === undefined || prompt === undefined) throw stale();
    const input = inputOf(prompt, decision);
    if (JSON.stringify(input).length > MAX_REPLY_CHARS)
      throw unfit(`A decision has at most ${MAX_REPLY_CHARS / 1024} KiB.`);
    checkFits(prompt, decision);
    const edit = this.#edit(record, prompt, decision);
    const grant = this.#grant(record, prompt, { decision, edit });
    let handle: TaskHandle;
    try {
      handle = await service.answer(found.task, {
        class: OPERATOR_CLASS,
        promptId: id,
        input,
        ...(key && { key }),
        ...(edit === undefined ? {} : { edit }),
        ...(grant === undefined ? {} : { alongside: [grants.insert(grant)] }),
      });
    } catch (error) {
      const isLate = error instanceof TaskError && (error.code === "prompt_gone" || error.code === "not_waiting");
      throw isLate ? stale() : error;
    }
    if (grant !== undefined) {
      grants.remembered(grant);
      bus.publish("approval.granted", { id: grant.id, tool: grant.tool });
    }
    return handle;
  }

  /** Arguments instead of the model's, canonical: valid, as those of any call (O3). */
  #edit(record: TaskRecord, prompt: PendingPrompt, { decision, args }: PromptDecision): string | undefined {
    const { deps } = this.#parts;
    if (decision !== "approve" || prompt.payload.kind !== "approval") return undefined;
    for (const name of new Set([prompt.tool, prompt.payload.tool])) {
      const begun = prompt.reason === "inside" && name === prompt.tool;
      const refused = deps.enforcement()?.refusal(name, { begun });
      if (refused !== undefined) throw new DecisionError("blocked", refused);
    }
    if (args === undefined) return undefined;
    const tool = toolboxOf(record, deps).get(prompt.tool);
    if (tool === undefined) throw new DecisionError("blocked", `The agent has no tool ${prompt.tool} any more.`);
    const parsed = parseArguments(tool, JSON.stringify(args));
    if (!parsed.ok) throw new DecisionError("unfit", parsed.message);
    const { payload } = prompt;
    return parsed.canonical === canonicalJson(payload.args) ? undefined : parsed.canonical;
  }

  #grant(
    record: TaskRecord,
    { payload }: PendingPrompt,
    { decision, edit }: { readonly decision: PromptDecision; readonly edit: string | undefined },
  ): ApprovalGrant | undefined {
    const { deps, grants } = this.#parts;
    if (decision.remember !== true || payload.kind !== "approval") return undefined;
    if (grants.full) throw new DecisionError("full", "As many approvals are remembered as can be; revoke some.");
    const args = edit ?? canonicalJson(payload.args);
    const { class: caller } = record.view;
    const { tool } = payload;
    const id = `grant_${randomUUID().replaceAll("-", "")}`;
    return { id, class: caller, tool, args, digest: callDigest(tool, args), createdAt: deps.clock.now() };
  }
}

function stale(): DecisionError {
  return new DecisionError("stale", "It does not wait any more: it was decided already, or its task ended.");
}

function unfit(message: string): DecisionError {
  return new DecisionError("unfit", message);
}

/** Refuses what would not answer the prompt; nothing is journaled of it. */
function checkFits(
  { payload, reason, parentCall }: PendingPrompt,
  { decision, answer, args, remember }: PromptDecision,
): void {
  if (payload.kind === "form" && decision === "decline") {
    if (args !== undefined || remember === true || answer !== undefined)
      throw unfit("A form that is declined takes a note and nothing else.");
    return;
  }
  if (payload.kind !== "approval") {
    if (decision !== "answer") {
      const choices = payload.kind === "form" ? '"answer", with the answer, or "decline"' : '"answer", with the answer';
      throw unfit(`A ${payload.kind} waits: decide ${choices}.`);
    }
    if (args !== undefined || remember === true) throw unfit("Arguments and remember belong to an approval.");
    if (answer === undefined || answer === null) throw unfit("The answer is missing.");
    const read = readAnswer(payload, { answer });
    if (!read.ok) throw unfit(read.reason);
    return;
  }
  if (decision === "answer") throw unfit('An approval waits: decide "approve" or "decline".');
  if (answer !== undefined) throw unfit("An approval takes no answer; put what the model should read into note.");
  if (decision === "decline" && (args !== undefined || remember === true))
    throw unfit("Arguments and remember go with approve.");
  if (args !== undefined && parentCall !== undefined)
    throw unfit(
      "The call is one of a script's, which runs again over its outcome: approve it as it is, or decline it.",
    );
  if (args !== undefined && reason !== "before")
    throw unfit("The call has begun, so its arguments cannot be changed any more.");
  if (remember === true && payload.grantable !== true) throw unfit("This approval is asked for every time.");
}

/** The decision as the journal has it: what any surface may send (A13). */
function inputOf({ promptId, payload }: PendingPrompt, { decision, answer, args, note }: PromptDecision): InputMessage {
  const isDeclinedForm = payload.kind === "form" && decision === "decline";
  const data = {
    promptId,
    ...(isDeclinedForm ? { decline: true } : { answer: decision === "answer" ? answer : decision === "approve" }),
    ...(args === undefined ? {} : { args }),
    ...(note === undefined ? {} : { note }),
  };
  return { messageId: randomUUID(), parts: [{ kind: "data", data }] };
}
