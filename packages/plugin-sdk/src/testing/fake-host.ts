/**
 * A host for the tests of a tool: calls it as the engine would (arguments validated, approval asked first, parking and
 * resuming, reconciling after a crash) without an engine. It does what is written here and no more: no time limits, no
 * retries, no journal.
 */
import {
  type AnyTool,
  isAvailableTo,
  type ParkRequest,
  presentCall,
  type ToolOutput,
  type ToolPresentation,
  type ToolPreview,
} from "../tool/index.ts";
import {
  answerFor,
  type FakeCall,
  type FakeOutcome,
  parseFakeArguments,
  resultOf,
  settleCall,
  startCall,
} from "./fake-call.ts";
import { type FakeCallOptions, type FakeLogLine, FakeRecords } from "./fake-records.ts";

/** What the fake host has. */
export interface FakeHostOptions {
  readonly tools: readonly AnyTool[];
  /** What `now()` returns to calls, until `setTime`. Default 2026-01-01T00:00:00Z. */
  readonly now?: Date;
}

/** The outcome of reconciling: the call happened with this output, it did not happen, or it cannot be found out. */
export type FakeReconciliation =
  | { readonly kind: "happened"; readonly output: ToolOutput }
  | { readonly kind: "did-not-happen" }
  | { readonly kind: "unknown"; readonly error?: unknown };

/** Runs tools for a test. */
export interface FakeHost {
  /** Calls a tool with arguments as a model would write them. @throws FakeHostError for a name no tool has */
  call(name: string, args: unknown, options?: FakeCallOptions): Promise<FakeOutcome>;
  /** Approves a call that `needs-approval`, and runs it. @throws FakeHostError when it does not wait for that */
  approve(callId: string): Promise<FakeOutcome>;
  /** Declines a call that `needs-approval`. @throws FakeHostError when it does not wait for that */
  decline(callId: string): Promise<FakeOutcome>;
  /**
   * Answers a parked call: text for a question, values for a form (false declines it), a boolean for an approval. Runs
   * `resume`, which may park again, or makes the answer the result when the tool has none.
   * @throws FakeHostError when the call is not parked
   */
  answer(callId: string, answer: string | boolean | object): Promise<FakeOutcome>;
  /** Asks, as after a crash, whether a call happened. @throws FakeHostError for a call id never seen */
  reconcile(callId: string): Promise<FakeReconciliation>;
  /**
   * Continues a call as after a crash that left it open: runs `reattach` where it kept a note. A `run` that throws
   * stands for the crash.
   * @throws FakeHostError when it kept none, or the tool cannot reattach
   */
  reattach(callId: string): Promise<FakeOutcome>;
  /** What the call would do; undefined where the tool shows nothing. @throws FakeHostError for a call id never seen */
  preview(callId: string): Promise<ToolPreview | undefined>;
  /** What people read of the call. @throws FakeHostError for a call id never seen */
  presented(callId: string, phase: keyof ToolPresentation, result?: ToolOutput): string | undefined;
  /** Sets what `now()` returns. */
  setTime(now: Date): void;
  /** Everything the tools logged, in order. */
  readonly log: readonly FakeLogLine[];
  /** Every `progress(text)`, in order; without text an empty one. */
  readonly progress: readonly string[];
}

/** A test asked the fake host for something impossible; the test is wrong, not the tool. */
export class FakeHostError extends Error {
  override readonly name = "FakeHostError";
  readonly code: "fake-host.unknown-tool" | "fake-host.unknown-call" | "fake-host.not-waiting";

  constructor(code: FakeHostError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes a host for tests. Every host is its own: two share nothing. */
export function fakeHost({ tools, now = new Date("2026-01-01T00:00:00Z") }: FakeHostOptions): FakeHost {
  const calls = new Map<string, FakeCall>();
  const records = new FakeRecords(now);

  function waitingCall(callId: string, wanted: (waiting: FakeCall["waiting"]) => boolean): FakeCall {
    const call = calls.get(callId);
    if (call === undefined) throw new FakeHostError("fake-host.unknown-call", `there was no call ${callId}`);
    if (!wanted(call.waiting)) throw new FakeHostError("fake-host.not-waiting", `${callId} does not wait for that`);
    return call;
  }

  return {
    log: records.log,
    progress: records.progress,
    setTime: (next) => {
      records.time = next;
    },
    async call(name, args, options = {}) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new FakeHostError("fake-host.unknown-tool", `no tool is named ${name}`);
      const answers: FakeCall["answers"] = [];
      const context = records.contextFor(options, answers);
      const { callId } = context;
      const turn = { subagent: options.subagent === true, peer: context.caller.class !== "operator" };
      if (!isAvailableTo(turn, tool)) return { kind: "unavailable", callId };
      const parsed = parseFakeArguments(tool, args);
      if (!parsed.ok) return { kind: "invalid", callId, message: parsed.message };
      const call: FakeCall = { tool, input: parsed.input, context, answers, records, waiting: undefined };
      calls.set(callId, call);
      return startCall(call);
    },
    async approve(callId) {
      const call = waitingCall(callId, (waiting) => waiting === "approval");
      return settleCall(call, () => call.tool.run(call.input, call.context));
    },
    async decline(callId) {
      waitingCall(callId, (waiting) => waiting === "approval").waiting = undefined;
      return { kind: "denied", callId };
    },
    async answer(callId, answer) {
      const call = waitingCall(callId, (waiting) => typeof waiting === "object");
      const given = answerFor(call.waiting as ParkRequest, answer);
      const outcome = await settleCall(call, () =>
        call.tool.resume === undefined ? resultOf(given) : call.tool.resume(call.input, given, call.context),
      );
      call.answers.push(given);
      return outcome;
    },
    async reattach(callId) {
      const call = waitingCall(callId, () => records.hasNote(callId));
      const { tool, input, context } = call;
      if (tool.reattach === undefined)
        throw new FakeHostError("fake-host.not-waiting", `${tool.name} cannot reattach a call`);
      return settleCall(call, () => tool.reattach!(input, context));
    },
    async preview(callId) {
      const { tool, input, context } = waitingCall(callId, () => true);
      return tool.preview?.(input, context);
    },
    presented(callId, phase, result) {
      const { tool, input } = waitingCall(callId, () => true);
      return presentCall(tool, phase, { input, result });
    },
    async reconcile(callId) {
      const call = waitingCall(callId, () => true);
      if (call.tool.reconcile === undefined) return { kind: "unknown" };
      try {
        const output = await call.tool.reconcile(call.input, call.context);
        return output === undefined ? { kind: "did-not-happen" } : { kind: "happened", output };
      } catch (error) {
        return { kind: "unknown", error };
      }
    },
  };
}
