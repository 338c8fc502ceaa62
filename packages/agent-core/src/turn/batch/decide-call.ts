/**
 * What happens to one call before it runs (R3, R4, A13), in this order:
 *  1. a result exists already → nothing (EN6)
 *  2. the tool exists and its arguments are valid, else the model reads what is wrong
 *  3. settings forbid the tool, or it was called too often → the model reads why (B54 `enforcement`, S8)
 *  4. a person answered its prompt → it runs as approved, or continues from its park
 *  5. a crash left it open → run again if that is safe, ask the tool, else ask a person
 *  6. the same call ended `unknown` before in this context → ask a person
 *  7. the tool, or the settings, ask for approval of these arguments, and no grant answers it → ask a person
 *  8. it counts against its rate limit, and runs
 */
import type {
  AnyTool,
  ApprovalRequest,
  ComponentOutput,
  ParkAnswer,
  PresentCall,
  ToolContext,
} from "@agent-service/plugin-sdk";
import type { CallOutcome, PendingPrompt, PromptPayload, PromptReason } from "../../event/index.ts";
import type { ModelToolCall } from "../../model/index.ts";
import { parseArguments, reconcileCall } from "../../tool/index.ts";
import type { RoleDeps } from "../role-of.ts";
import { toolboxOf } from "../role-of.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import type { CallAnswer, CallBatch } from "./call-batch.ts";

/** What a decision needs of its turn. */
export type CallingTurn = Pick<TurnState, "record" | "options" | "signal" | "aliveAt">;
type DecisionDeps = RoleDeps &
  Pick<TurnDeps, "db" | "journal" | "clock" | "grants" | "enforcement" | "redactor" | "log">;

/** A call that may run. */
export interface RunnableCall {
  readonly call: ModelToolCall;
  readonly tool: AnyTool;
  /** What people read of it. */
  readonly present: PresentCall | undefined;
  readonly input: unknown;
  readonly digest: string;
  readonly canonical: string;
  /** Set when the call parked inside before: it continues from there. */
  readonly answer?: ParkAnswer;
  /** Put before the result: what a person changed, or their note. */
  readonly remark?: string;
}

/** A call that waits for a person. Its prompt gets its id when the batch has ended, in call order. */
export interface WaitingCall {
  readonly prompt: Omit<PendingPrompt, "promptId">;
  readonly digest: string;
}

export type CallDecision =
  | { readonly kind: "run"; readonly run: RunnableCall }
  | { readonly kind: "ask"; readonly wait: WaitingCall }
  | {
      readonly kind: "result";
      readonly outcome: CallOutcome;
      readonly text: string;
      readonly component?: ComponentOutput;
      readonly digest: string;
      readonly canonical: string;
    };

export function isRepeatable({ effect }: Pick<AnyTool, "effect">): boolean {
  return effect === "pure" || effect === "idempotent";
}

/** Whether the tool is given the means to call others: what cannot run again from its top is not. */
export function makesCalls(tool: Pick<AnyTool, "effect" | "callsTools">): boolean {
  return tool.callsTools === true && isRepeatable(tool);
}

const NO_ANSWERS: readonly ParkAnswer[] = Object.freeze([]);

/** The context a tool gets, without the signal. */
export function callContext(
  turn: CallingTurn,
  { insideAnswers, openCalls }: CallBatch,
  deps: Pick<TurnDeps, "clock" | "log">,
  callId: string,
): Omit<ToolContext, "signal"> {
  const { id: taskId, context: contextId, class: callerClass } = turn.record.view;
  const { unattended = false, incognito = false } = turn.options;
  return {
    callId,
    taskId,
    contextId,
    // Neither waiving approvals nor the mark of outside content exists yet.
    caller: { class: callerClass, unattended, incognito, bypass: false, tainted: false },
    earlierAnswers: insideAnswers.get(callId)?.slice(0, -1) ?? NO_ANSWERS,
    progress: () => {
      if (openCalls.has(callId)) turn.aliveAt = deps.clock.now();
    },
    log: deps.log,
    now: () => new Date(deps.clock.now()),
  };
}

/** Builds the prompt of a call, without its id. */
export function promptFor(
  { inner }: CallBatch,
  { call, tool }: RunnableCall,
  reason: PromptReason,
  payload: PromptPayload,
): WaitingCall["prompt"] {
  const parent = inner.get(call.id)?.parent;
  return { callId: call.id, tool: tool.name, reason, payload, ...(parent !== undefined && { parentCall: parent }) };
}

function approvalPayload(run: RunnableCall, title: string, detail: string): PromptPayload & { kind: "approval" } {
  return { kind: "approval", title, detail, tool: run.tool.name, args: JSON.parse(run.canonical) as unknown };
}

function ask(batch: CallBatch, run: RunnableCall, reason: PromptReason, payload: PromptPayload): CallDecision {
  const { digest } = run;
  return { kind: "ask", wait: { prompt: promptFor(batch, run, reason, payload), digest } };
}

async function afterCrash(
  turn: CallingTurn,
  batch: CallBatch,
  deps: DecisionDeps,
  run: RunnableCall,
): Promise<CallDecision> {
  if (isRepeatable(run.tool)) return { kind: "run", run };
  const context = callContext(turn, batch, deps, run.call.id);
  const verdict = await reconcileCall({
    tool: run.tool,
    input: run.input,
    context,
    signal: turn.signal,
    clock: deps.clock,
    redactor: deps.redactor,
  });
  if (verdict.kind === "did-not-happen") return { kind: "run", run };
  if (verdict.kind === "happened") {
    const { digest, canonical } = run;
    const component = verdict.component === undefined ? {} : { component: verdict.component };
    return { kind: "result", outcome: "ok", text: verdict.text, digest, canonical, ...component };
  }
  const detail =
    "The service was interrupted while this call ran, so it may have happened already. " +
    "Did this happen? Approve to run it again; decline to leave it as it is.";
  return ask(batch, run, "again", approvalPayload(run, `Run ${run.tool.name} again?`, detail));
}

async function endedUnknownBefore(
  { view: { class: callerClass, context } }: TurnState["record"],
  deps: Pick<TurnDeps, "db" | "journal">,
  digest: string,
): Promise<boolean> {
  const statement = deps.journal.statements.selectUnknownCall.bind({ class: callerClass, context, digest });
  return (await deps.db.read(statement)).length > 0;
}

async function beforeRun(
  turn: CallingTurn,
  batch: CallBatch,
  deps: DecisionDeps,
  run: RunnableCall,
): Promise<CallDecision> {
  if (!isRepeatable(run.tool) && (await endedUnknownBefore(turn.record, deps, run.digest))) {
    const detail = "An earlier call with the same arguments ended without a known outcome and may have happened.";
    return ask(
      batch,
      run,
      "before",
      approvalPayload(run, `Run ${run.tool.name} although it may have happened?`, detail),
    );
  }
  const asksFirst = deps.enforcement()?.asksFirst(run.tool.name) === true;
  const skipped = (why: string): CallDecision => {
    const { log } = deps;
    log.debug?.({ task: turn.record.view.id, call: run.call.id, tool: run.tool.name, why }, "call runs unasked");
    return { kind: "run", run };
  };
  if (run.tool.approval === undefined && !asksFirst) return skipped("nothing asks for approval");
  const context: ToolContext = { ...callContext(turn, batch, deps, run.call.id), signal: turn.signal };
  try {
    const own = await run.tool.approval?.(run.input, context);
    const request = own ?? (asksFirst ? askedBySettings(run) : undefined);
    if (request === undefined) return skipped("the tool asks for none with these arguments");
    const always = request.always === true;
    if (!always && deps.grants.has({ class: turn.record.view.class, digest: run.digest })) {
      return skipped("it was approved for the future");
    }
    const { known } = deps.redactor;
    const payload = approvalPayload(run, known(request.title), known(request.detail));
    return ask(batch, run, "before", always ? payload : { ...payload, grantable: true });
  } catch (error) {
    // Whether approval is needed is unknown, so it is asked for.
    const reason = deps.redactor.text(error instanceof Error ? error.message : "unknown");
    const detail = `The tool could not decide whether this needs approval: ${reason}`;
    return ask(batch, run, "before", approvalPayload(run, `Run ${run.tool.name}?`, detail));
  }
}

function remarkOf({ edits }: CallBatch, call: string, answered: CallAnswer | undefined): { remark?: string } {
  const edit = edits?.get(call);
  const note = answered?.answer.kind === "approval" && answered.reason !== "inside" ? answered.answer.note : undefined;
  const remarks = [
    ...(edit === undefined ? [] : [`A person changed the arguments of this call to ${edit}.`]),
    ...(note === undefined ? [] : [`The person who approved it says: ${note}`]),
  ];
  return remarks.length === 0 ? {} : { remark: remarks.join("\n") };
}

/** The detail of a prompt that the settings ask for, and no tool. */
export const ASKED_BY_SETTINGS = "The settings ask for approval of this tool (enforcement.require_approval).";

function askedBySettings({ tool, input, present }: RunnableCall): ApprovalRequest {
  return {
    title: present?.("asks", { input }) ?? `Run ${tool.name}?`,
    detail: ASKED_BY_SETTINGS,
  };
}

function noteForbidden({ record }: CallingTurn, { log }: DecisionDeps, { call, tool }: RunnableCall, by: string): void {
  log.debug?.({ task: record.view.id, call: call.id, tool: tool.name, by }, "call forbidden");
}

/** A call that settings forbid. One that a crash left open may have happened already (EN6). */
function forbidden({ crashed }: CallBatch, { call, digest, canonical }: RunnableCall, why: string): CallDecision {
  if (!crashed.has(call.id)) return { kind: "result", outcome: "denied", text: why, digest, canonical };
  const text = `The service was interrupted while this call ran, so it may have happened. ${why}`;
  return { kind: "result", outcome: "unknown", text, digest, canonical };
}

/** It parked inside, or runs again from its top after a call that it made (SC3): it was counted when it began. */
function hasBegun(
  { rows }: CallBatch,
  { call, tool, answer }: Pick<RunnableCall, "call" | "tool" | "answer">,
): boolean {
  return answer !== undefined || (makesCalls(tool) && rows.has(call.id));
}

/** Decides about one call. Undefined: it has a result already. */
export async function decideCall(
  turn: CallingTurn,
  batch: CallBatch,
  deps: DecisionDeps,
  call: ModelToolCall,
): Promise<CallDecision | undefined> {
  const decision = await decide(turn, batch, deps, call);
  if (decision?.kind !== "run" || hasBegun(batch, decision.run)) return decision;
  const refused = deps.enforcement()?.check(decision.run.tool.name);
  if (refused === undefined) return decision;
  noteForbidden(turn, deps, decision.run, "rate");
  return forbidden(batch, decision.run, refused);
}

async function decide(
  turn: CallingTurn,
  batch: CallBatch,
  deps: DecisionDeps,
  call: ModelToolCall,
): Promise<CallDecision | undefined> {
  if (batch.results.has(call.id)) return undefined;
  const answered = batch.answers.get(call.id);
  const toolbox = toolboxOf(turn.record, deps);
  const tool = toolbox.get(call.name);
  if (tool === undefined) {
    const text = `Error: there is no tool named ${JSON.stringify(call.name)}. Tools: ${toolbox.names.join(", ")}.`;
    return { kind: "result", outcome: "error", text, digest: "", canonical: call.args };
  }
  // Arguments that a person edited are checked like the model's (O3).
  const args = batch.edits?.get(call.id) ?? call.args;
  const parsed = parseArguments(tool, args);
  if (!parsed.ok) {
    return { kind: "result", outcome: "error", text: parsed.message, digest: parsed.digest, canonical: args };
  }
  const inside = batch.insideAnswers.get(call.id);
  const run: RunnableCall = {
    call,
    tool,
    present: toolbox.presenter(call.name),
    input: parsed.input,
    digest: parsed.digest,
    canonical: parsed.canonical,
    ...(inside === undefined ? {} : { answer: inside.at(-1)! }),
    ...remarkOf(batch, call.id, answered),
  };
  const enforcement = deps.enforcement();
  if (enforcement !== undefined) {
    const refused = enforcement.refusal(tool.name, { begun: hasBegun(batch, run) });
    if (refused !== undefined) {
      noteForbidden(turn, deps, run, "settings");
      return forbidden(batch, run, refused);
    }
  }
  if (answered !== undefined) return { kind: "run", run };
  if (batch.crashed.has(call.id)) return afterCrash(turn, batch, deps, run);
  return beforeRun(turn, batch, deps, run);
}
