/** One call on a fake host: its arguments, its steps and its outcome. */
import { getDotPath, safeParse } from "valibot";
import {
  type AnyTool,
  type ApprovalRequest,
  isOutcomeUnknown,
  type Park,
  type ParkAnswer,
  type ParkRequest,
  type ToolContext,
  type ToolOutput,
} from "../tool/index.ts";
import type { FakeRecords } from "./fake-records.ts";

/** The outcome of a call. `callId` is what the tool saw as its idempotency key. */
export type FakeOutcome =
  /** The tool returned. */
  | { readonly kind: "returned"; readonly callId: string; readonly output: ToolOutput }
  /** The tool threw: to the model this is a failed call, never a failed turn. */
  | { readonly kind: "threw"; readonly callId: string; readonly error: unknown }
  /** An `effect` tool threw an `OutcomeUnknownError`; the engine asks `reconcile` next, as `host.reconcile` does. */
  | { readonly kind: "unknown"; readonly callId: string; readonly error: Error }
  /** The caller's turns do not have the tool (`availableTo`). */
  | { readonly kind: "unavailable"; readonly callId: string }
  /** The arguments do not fit the schema; the tool was not run. */
  | { readonly kind: "invalid"; readonly callId: string; readonly message: string }
  /** `approval` asks a person first: continue with `host.approve` or `host.decline`. The tool was not run. */
  | { readonly kind: "needs-approval"; readonly callId: string; readonly request: ApprovalRequest }
  /** Declined; the tool was not run. */
  | { readonly kind: "denied"; readonly callId: string }
  /** The tool parked: continue with `host.answer`. */
  | { readonly kind: "parked"; readonly callId: string; readonly request: ParkRequest };

/** A call the host keeps, so that it can continue later. */
export interface FakeCall {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly context: ToolContext;
  /** What parks of the call were answered, oldest first; `context.earlierAnswers` is this array. */
  readonly answers: ParkAnswer[];
  readonly records: FakeRecords;
  waiting: "approval" | ParkRequest | undefined;
}

/** Arguments as a model would write them: what JSON does not carry is lost here too. */
export function parseFakeArguments(
  tool: AnyTool,
  args: unknown,
): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string } {
  const parsed = safeParse(tool.input, JSON.parse(JSON.stringify(args ?? {})));
  if (parsed.success) return { ok: true, input: parsed.output };
  const message = parsed.issues.map((issue) => `${getDotPath(issue) ?? "arguments"}: ${issue.message}`).join("; ");
  return { ok: false, message };
}

function isPark(output: unknown): output is Park {
  return typeof output === "object" && output !== null && (output as { type?: unknown }).type === "park";
}

/** Runs a step of the call: it returns, parks or throws. */
export async function settleCall(
  call: FakeCall,
  run: () => ToolOutput | Park | Promise<ToolOutput | Park>,
): Promise<FakeOutcome> {
  const { callId } = call.context;
  call.waiting = undefined;
  call.records.running.add(callId);
  try {
    const output = await run();
    if (!isPark(output)) {
      call.records.forgetNote(callId);
      return { kind: "returned", callId, output };
    }
    call.waiting = output.request;
    return { kind: "parked", callId, request: output.request };
  } catch (error) {
    const { effect = "effect" } = call.tool;
    if (isOutcomeUnknown(error) && effect === "effect") return { kind: "unknown", callId, error };
    return { kind: "threw", callId, error };
  } finally {
    call.records.running.delete(callId);
  }
}

/** Whether settings or the operator answered what would be asked. */
function needsNoAnswer({ always, allowedBy, bypassable }: ApprovalRequest, { caller }: ToolContext): boolean {
  return always !== true && (allowedBy !== undefined || (bypassable === true && caller.bypass));
}

/** Asks the tool whether a person must approve, and runs it when none must. */
export async function startCall(call: FakeCall): Promise<FakeOutcome> {
  const { tool, input, context } = call;
  try {
    const request = await tool.approval?.(input, context);
    if (request !== undefined && !needsNoAnswer(request, context)) {
      call.waiting = "approval";
      return { kind: "needs-approval", callId: context.callId, request };
    }
  } catch (error) {
    return { kind: "threw", callId: context.callId, error };
  }
  return settleCall(call, () => tool.run(input, context));
}

/** A test's answer in the form `resume` receives. False declines a form. */
export function answerFor(request: ParkRequest, answer: string | boolean | object): ParkAnswer {
  switch (request.kind) {
    case "question":
      return { kind: "question", text: typeof answer === "string" ? answer : JSON.stringify(answer) };
    case "form":
      return answer === false ? { kind: "form", declined: true } : { kind: "form", values: answer };
    case "approval":
      return { kind: "approval", approved: answer === true };
  }
}

/** What the answer is when the tool does not `resume`. */
export function resultOf(answer: ParkAnswer): ToolOutput {
  switch (answer.kind) {
    case "question":
      return answer.text;
    case "form":
      return answer.declined === true ? "declined" : (answer.values as ToolOutput);
    case "approval":
      return answer.approved ? "approved" : "declined";
  }
}
