/**
 * What happens to one call before it runs (R3, R4, A13), in this order:
 *  1. a result exists already → nothing (EN6)
 *  2. the tool exists and its arguments are valid, else the model reads what is wrong
 *  3. settings forbid the tool, or it was called too often → the model reads why (B54 `enforcement`, S8)
 *  4. a person answered its prompt → it runs as approved, or continues from its park
 *  5. a crash left it open → it continues in `reattach` where its note lets it; else ask the tool whether it happened, else
 *     a person; what did not happen, or is safe to run again, goes on with 6 unless a person approved this call
 *  6. the same call ended `unknown` before in this context, and its tool cannot tell whether it happened → ask a person
 *  7. the tool, or the settings, ask for approval of these arguments → ask a person (`first-approval.ts`: F9, F12)
 *  8. it counts against its rate limit, and runs
 */
import type { AnyTool, ComponentOutput, ToolContext } from "@agent-service/plugin-sdk";
import type { CallOutcome, PendingPrompt, PromptPayload, PromptReason } from "../../event/index.ts";
import { canonicalJson, parseJson } from "../../json/index.ts";
import type { ModelToolCall } from "../../model/index.ts";
import { callDigest, parseArguments, reconcileCall } from "../../tool/index.ts";
import type { RoleDeps } from "../role-of.ts";
import { toolboxOf } from "../role-of.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { approvalPayload } from "./approval-payload.ts";
import type { CallAnswer, CallBatch, RunnableCall } from "./call-batch.ts";
import { type CallingTurn, callContext } from "./call-context.ts";
import { noteValue } from "./call-note.ts";
import { firstApproval } from "./first-approval.ts";

type DecisionDeps = RoleDeps &
  Pick<TurnDeps, "db" | "journal" | "clock" | "grants" | "enforcement" | "bypassAllowed" | "redactor" | "log">;

/** A call about which is decided. */
interface Deciding {
  readonly turn: CallingTurn;
  readonly batch: CallBatch;
  readonly deps: DecisionDeps;
  readonly run: RunnableCall;
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

/** Asks a person; of a call that has begun, whether it is to run again. */
async function ask(
  { turn, batch, deps, run }: Deciding,
  reason: PromptReason,
  asked: { readonly title: string; readonly detail: string; readonly grantable?: true; readonly notRun?: true },
): Promise<CallDecision> {
  const context = callContext(turn, batch, deps, run.call.id);
  const payload = await approvalPayload(turn, deps, run, { ...asked, context });
  return { kind: "ask", wait: { prompt: promptFor(batch, run, reason, payload), digest: run.digest } };
}

/** A crash left the call open after it had kept a note, and its tool continues from that note. */
function canReattach({ crashed, notes }: CallBatch, { call, tool }: Pick<RunnableCall, "call" | "tool">): boolean {
  if (tool.reattach === undefined || !crashed.has(call.id) || !notes.has(call.id)) return false;
  return tool.reattaches?.(noteValue(notes.get(call.id))) !== false;
}

/**
 * A call that may have happened. One that is known not to have happened, or may happen again, is decided by today's settings
 * like a new one, unless a person approved this very call.
 */
async function afterCrash(deciding: Deciding): Promise<CallDecision> {
  const { turn, batch, deps, run } = deciding;
  if (canReattach(batch, run)) return { kind: "run", run: { ...run, reattaches: true } };
  const isSettled = batch.approved.has(run.call.id) || run.answer !== undefined;
  if (isRepeatable(run.tool)) return isSettled ? { kind: "run", run } : beforeRun(deciding);
  const context = callContext(turn, batch, deps, run.call.id);
  const verdict = await reconcileCall({
    tool: run.tool,
    input: run.input,
    context,
    signal: turn.signal,
    clock: deps.clock,
    redactor: deps.redactor,
  });
  if (verdict.kind === "did-not-happen")
    return isSettled ? { kind: "run", run } : beforeRun(deciding, { notRun: true });
  if (verdict.kind === "happened") {
    const { digest, canonical } = run;
    const component = verdict.component === undefined ? {} : { component: verdict.component };
    return { kind: "result", outcome: "ok", text: verdict.text, digest, canonical, ...component };
  }
  const detail =
    "The service was interrupted while this call ran, so it may have happened already. " +
    "Did this happen? Approve to run it again; decline to leave it as it is.";
  return ask(deciding, "again", { title: `Run ${run.tool.name} again?`, detail });
}

/** A call that a crash left open whose tool is not there any more: neither run again nor taken for one that was not made. */
function lostWithItsTool({ name, args }: ModelToolCall): CallDecision {
  const parsed = parseJson(args.trim() === "" ? "{}" : args);
  const canonical = parsed.ok ? canonicalJson(parsed.value) : args;
  const text = `The service was interrupted while this call ran, so it may have happened. There is no tool named ${name} any more.`;
  return { kind: "result", outcome: "unknown", text, digest: callDigest(name, canonical), canonical };
}

/** Calls that ended `unknown` that a tool is asked about; of more a person is asked. */
const MOST_UNKNOWN = 5;

/** Whether the same call ended `unknown` before in this context, and its tool cannot tell by now whether it happened. */
async function endedUnknownBefore({ turn, batch, deps, run }: Deciding): Promise<boolean> {
  const { class: callerClass, context: name } = turn.record.view;
  const { tool, input, digest } = run;
  const of = { class: callerClass, context: name, digest, calls: MOST_UNKNOWN + 1 };
  const rows = await deps.db.read(deps.journal.statements.selectUnknownCalls.bind(of));
  if (rows.length === 0) return false;
  if (tool.reconcilesAborted !== true || rows.length > MOST_UNKNOWN) return true;
  const { clock, redactor } = deps;
  for (const [id, task, note] of rows) {
    const kept = noteValue(typeof note === "string" ? note : undefined);
    const context = { ...callContext(turn, batch, deps, String(id)), taskId: String(task), kept };
    const verdict = await reconcileCall({ tool, input, context, signal: turn.signal, clock, redactor });
    if (verdict.kind === "unknown") return true;
  }
  return false;
}

/** `notRun`: a crash left the call open, and it is known not to have happened. */
async function beforeRun(deciding: Deciding, known: { readonly notRun?: true } = {}): Promise<CallDecision> {
  const { turn, batch, deps, run } = deciding;
  // What has a row is closed by its row, and runs with the arguments it was begun with.
  const reason = batch.rows.has(run.call.id) ? "again" : "before";
  if (!isRepeatable(run.tool) && (await endedUnknownBefore(deciding))) {
    const detail = "An earlier call with the same arguments ended without a known outcome and may have happened.";
    return ask(deciding, reason, { title: `Run ${run.tool.name} although it may have happened?`, detail, ...known });
  }
  const context: ToolContext = { ...callContext(turn, batch, deps, run.call.id), signal: turn.signal };
  const first = await firstApproval(turn, deps, run, context);
  if (first.kind === "ask") {
    const { title, detail, grantable } = first;
    return ask(deciding, reason, { title, detail, ...known, ...(grantable && { grantable }) });
  }
  const { why, skipped } = first;
  deps.log.debug?.({ task: turn.record.view.id, call: run.call.id, tool: run.tool.name, why }, "call runs unasked");
  return { kind: "run", run: skipped === undefined ? run : { ...run, skipped } };
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

function noteForbidden({ record }: CallingTurn, { log }: DecisionDeps, { call, tool }: RunnableCall, by: string): void {
  log.debug?.({ task: record.view.id, call: call.id, tool: tool.name, by }, "call forbidden");
}

/** A call that settings forbid. One that a crash left open may have happened already (EN6). */
function forbidden({ crashed }: CallBatch, { call, digest, canonical }: RunnableCall, why: string): CallDecision {
  if (!crashed.has(call.id)) return { kind: "result", outcome: "denied", text: why, digest, canonical };
  const text = `The service was interrupted while this call ran, so it may have happened. ${why}`;
  return { kind: "result", outcome: "unknown", text, digest, canonical };
}

/**
 * It parked inside, continues by its note, or runs again from its top after a call that it made (SC3): it was counted when
 * it began.
 */
function hasBegun(batch: CallBatch, run: Pick<RunnableCall, "call" | "tool" | "answer">): boolean {
  return run.answer !== undefined || canReattach(batch, run) || (makesCalls(run.tool) && batch.rows.has(run.call.id));
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

/** Names that a message to the model lists: there may be thousands. */
const MOST_NAMED = 128;

function namesOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
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
    if (batch.crashed.has(call.id)) return lostWithItsTool(call);
    const text = `Error: there is no tool named ${JSON.stringify(call.name)}. Tools: ${namesOf(toolbox.names)}.`;
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
  const deciding: Deciding = { turn, batch, deps, run };
  return batch.crashed.has(call.id) ? afterCrash(deciding) : beforeRun(deciding);
}
