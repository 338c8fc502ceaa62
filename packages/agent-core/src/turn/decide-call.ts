/**
 * What happens to one call before it runs (rulings R3, R4, A13), in this order:
 *  1. a result stands already → nothing (E6)
 *  2. the tool exists and its arguments are valid, else the model reads what is wrong
 *  3. settings forbid the tool, or it was called too often → the model reads why (document 3 `enforcement`, ruling S8)
 *  4. a person answered its prompt → it runs as approved, or goes on from its park
 *  5. a crash left it open → run again if that is safe, ask the tool, else ask a person
 *  6. the same call ended `unknown` before in this context → ask a person
 *  7. the tool, or the settings, ask for approval of these arguments, and no grant answers it → ask a person
 *  8. it counts against its rate limit, and runs
 */
import { randomUUID } from "node:crypto";
import {
  type AnyTool,
  type ApprovalRequest,
  type ComponentOutput,
  type ParkAnswer,
  presentCall,
  type ToolContext,
} from "@agent-service/plugin-sdk";
import type { CallOutcome, PendingPrompt, PromptPayload, PromptReason } from "../event/index.ts";
import type { ModelToolCall } from "../model/index.ts";
import { parseArguments, reconcileCall } from "../tool/index.ts";
import { toolboxOf } from "./role-of.ts";
import type { CallAnswer, TurnDeps, TurnState } from "./turn-state.ts";

/** A call that may run. */
export interface RunnableCall {
  readonly call: ModelToolCall;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly digest: string;
  readonly canonical: string;
  /** Set when the call parked inside before: it goes on from there. */
  readonly answer?: ParkAnswer;
  /** What the model is told before the result: what a person changed or said. */
  readonly remark?: string;
}

/** A call that waits for a person. */
export interface WaitingCall {
  readonly prompt: PendingPrompt;
  readonly digest: string;
}

/** The decision. */
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

const NO_ANSWERS: readonly ParkAnswer[] = Object.freeze([]);

/** The context of a call, without the signal. */
export function callContext(state: TurnState, deps: TurnDeps, callId: string): Omit<ToolContext, "signal"> {
  const { id: taskId, context: contextId, class: callerClass } = state.record.view;
  const { unattended = false, incognito = false } = state.options;
  return {
    callId,
    taskId,
    contextId,
    // Neither waiving approvals nor the mark of outside content exists yet.
    caller: { class: callerClass, unattended, incognito, bypass: false, tainted: false },
    earlierAnswers: state.insideAnswers.get(callId)?.slice(0, -1) ?? NO_ANSWERS,
    progress: () => {
      if (state.openCalls.has(callId)) state.aliveAt = deps.clock.now();
    },
    log: deps.log,
    now: () => new Date(deps.clock.now()),
  };
}

/** Builds the prompt of a call. */
export function promptFor(call: RunnableCall, reason: PromptReason, payload: PromptPayload): PendingPrompt {
  return {
    promptId: `prompt_${randomUUID().replaceAll("-", "")}`,
    callId: call.call.id,
    tool: call.tool.name,
    reason,
    payload,
  };
}

function approvalPayload(run: RunnableCall, title: string, detail: string): PromptPayload & { kind: "approval" } {
  return { kind: "approval", title, detail, tool: run.tool.name, args: JSON.parse(run.canonical) as unknown };
}

function ask(run: RunnableCall, reason: PromptReason, payload: PromptPayload): CallDecision {
  const { digest } = run;
  return { kind: "ask", wait: { prompt: promptFor(run, reason, payload), digest } };
}

async function afterCrash(state: TurnState, deps: TurnDeps, run: RunnableCall): Promise<CallDecision> {
  if (run.tool.effect === "pure" || run.tool.effect === "idempotent") return { kind: "run", run };
  const context = callContext(state, deps, run.call.id);
  const verdict = await reconcileCall({
    tool: run.tool,
    input: run.input,
    context,
    signal: state.signal,
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
  return ask(run, "again", approvalPayload(run, `Run ${run.tool.name} again?`, detail));
}

async function endedUnknownBefore(state: TurnState, deps: TurnDeps, digest: string): Promise<boolean> {
  const { class: callerClass, context } = state.record.view;
  const statement = deps.journal.statements.selectUnknownCall.bind({ class: callerClass, context, digest });
  return (await deps.db.read(statement)).length > 0;
}

async function beforeRun(state: TurnState, deps: TurnDeps, run: RunnableCall): Promise<CallDecision> {
  const repeatable = run.tool.effect === "pure" || run.tool.effect === "idempotent";
  if (!repeatable && (await endedUnknownBefore(state, deps, run.digest))) {
    const detail = "An earlier call with the same arguments ended without a known outcome and may have happened.";
    return ask(run, "before", approvalPayload(run, `Run ${run.tool.name} although it may have happened?`, detail));
  }
  const asksFirst = deps.enforcement()?.asksFirst(run.tool.name) === true;
  if (run.tool.approval === undefined && !asksFirst) return { kind: "run", run };
  const context: ToolContext = { ...callContext(state, deps, run.call.id), signal: state.signal };
  try {
    const own = await run.tool.approval?.(run.input, context);
    const request = own ?? (asksFirst ? askedBySettings(run) : undefined);
    if (request === undefined) return { kind: "run", run };
    const always = request.always === true;
    if (!always && deps.grants.has({ class: state.record.view.class, digest: run.digest })) return { kind: "run", run };
    const { known } = deps.redactor;
    const payload = approvalPayload(run, known(request.title), known(request.detail));
    return ask(run, "before", always ? payload : { ...payload, grantable: true });
  } catch (error) {
    // Whether a person must be asked could not be told, so one is asked.
    const reason = deps.redactor.text(error instanceof Error ? error.message : "unknown");
    const detail = `The tool could not say whether this needs approval: ${reason}`;
    return ask(run, "before", approvalPayload(run, `Run ${run.tool.name}?`, detail));
  }
}

function remarkOf(state: TurnState, call: string, answered: CallAnswer | undefined): { remark?: string } {
  const edit = state.edits?.get(call);
  const note = answered?.answer.kind === "approval" && answered.reason !== "inside" ? answered.answer.note : undefined;
  const said = [
    ...(edit === undefined ? [] : [`A person changed the arguments of this call to ${edit}.`]),
    ...(note === undefined ? [] : [`The person who approved it says: ${note}`]),
  ];
  return said.length === 0 ? {} : { remark: said.join("\n") };
}

function askedBySettings({ tool, input }: RunnableCall): ApprovalRequest {
  return {
    title: presentCall(tool, "asks", { input }) ?? `Run ${tool.name}?`,
    detail: "The settings ask for approval of this tool (enforcement.require_approval).",
  };
}

/** A call that settings forbid. One that a crash left open may have happened already (E6). */
function forbidden(state: TurnState, { call, digest, canonical }: RunnableCall, why: string): CallDecision {
  if (!state.crashed.has(call.id)) return { kind: "result", outcome: "denied", text: why, digest, canonical };
  const text = `The service was interrupted while this call ran, so it may have happened. ${why}`;
  return { kind: "result", outcome: "unknown", text, digest, canonical };
}

/** Decides about one call. `undefined`: its result stands. */
export async function decideCall(
  state: TurnState,
  deps: TurnDeps,
  call: ModelToolCall,
): Promise<CallDecision | undefined> {
  const decision = await decide(state, deps, call);
  // A call that parked inside was counted when it began.
  if (decision?.kind !== "run" || decision.run.answer !== undefined) return decision;
  const refused = deps.enforcement()?.admit(decision.run.tool.name);
  return refused === undefined ? decision : forbidden(state, decision.run, refused);
}

async function decide(state: TurnState, deps: TurnDeps, call: ModelToolCall): Promise<CallDecision | undefined> {
  if (state.results.has(call.id)) return undefined;
  const answered = state.answers.get(call.id);
  const toolbox = toolboxOf(state, deps);
  const tool = toolbox.get(call.name);
  if (tool === undefined) {
    const text = `Error: there is no tool named ${JSON.stringify(call.name)}. Tools: ${toolbox.names.join(", ")}.`;
    return { kind: "result", outcome: "error", text, digest: "", canonical: call.args };
  }
  // What a person put in the place of the model's arguments is checked as those are (ruling O3).
  const args = state.edits?.get(call.id) ?? call.args;
  const parsed = parseArguments(tool, args);
  if (!parsed.ok) {
    return { kind: "result", outcome: "error", text: parsed.message, digest: parsed.digest, canonical: args };
  }
  const inside = state.insideAnswers.get(call.id);
  const run: RunnableCall = {
    call,
    tool,
    input: parsed.input,
    digest: parsed.digest,
    canonical: parsed.canonical,
    ...(inside === undefined ? {} : { answer: inside.at(-1)! }),
    ...remarkOf(state, call.id, answered),
  };
  const enforcement = deps.enforcement();
  if (enforcement !== undefined) {
    const refused = enforcement.refusal(tool.name, { begun: inside !== undefined });
    if (refused !== undefined) return forbidden(state, run, refused);
  }
  if (answered !== undefined) return { kind: "run", run };
  if (state.crashed.has(call.id)) return afterCrash(state, deps, run);
  return beforeRun(state, deps, run);
}
