/**
 * A host for the tests of a tool: calls it as the engine would (arguments validated, approval asked first, parking and
 * resuming, reconciling after a crash) without an engine. It does what is written here and no more: no time limits, no
 * retries, no journal.
 */
import type { AnyTool, ParkRequest, ToolCaller, ToolContext, ToolOutput } from "../tool/index.ts";
import {
  answerFor,
  type FakeCall,
  type FakeOutcome,
  parseFakeArguments,
  resultOf,
  settleCall,
  startCall,
} from "./fake-call.ts";

/** What the fake host has. */
export interface FakeHostOptions {
  readonly tools: readonly AnyTool[];
  /** What `now()` tells calls, until `setTime`. Default 2026-01-01T00:00:00Z. */
  readonly now?: Date;
}

/** What reconciling came to: the call happened with this output, it did not happen, or it cannot be told. */
export type FakeReconciliation =
  | { readonly kind: "happened"; readonly output: ToolOutput }
  | { readonly kind: "did-not-happen" }
  | { readonly kind: "cannot-tell"; readonly error?: unknown };

/** A line a tool wrote to its log. */
export interface FakeLogLine {
  readonly level: "info" | "warn";
  readonly message: string;
}

/** Options of one call. */
export interface FakeCallOptions {
  /** Default `call-1`, `call-2` and so on. Give an old one to call again under the same idempotency key. */
  readonly callId?: string;
  /** The call's signal; a fresh one that is never aborted by default. */
  readonly signal?: AbortSignal;
  /** Default: an operator whose turn a person follows. */
  readonly caller?: Partial<ToolCaller>;
}

/** Runs tools for a test. */
export interface FakeHost {
  /** Calls a tool with arguments as a model would write them. @throws FakeHostError for a name no tool has */
  call(name: string, args: unknown, options?: FakeCallOptions): Promise<FakeOutcome>;
  /** Approves a call that `needs-approval`, and runs it. @throws FakeHostError when it does not wait for that */
  approve(callId: string): Promise<FakeOutcome>;
  /** Declines a call that `needs-approval`. @throws FakeHostError when it does not wait for that */
  decline(callId: string): Promise<FakeOutcome>;
  /**
   * Answers a parked call: text for a question, values for a form, a boolean for an approval. Runs `resume`, or makes
   * the answer the result when the tool has none. @throws FakeHostError when the call is not parked
   */
  answer(callId: string, answer: string | boolean | object): Promise<FakeOutcome>;
  /** Asks, as after a crash, whether a call happened. @throws FakeHostError for a call id never seen */
  reconcile(callId: string): Promise<FakeReconciliation>;
  /** What `now()` tells from here on. */
  setTime(now: Date): void;
  /** Everything the tools logged, in order. */
  readonly log: readonly FakeLogLine[];
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
  const log: FakeLogLine[] = [];
  let time = now;
  let made = 0;

  function waitingCall(callId: string, wanted: (waiting: FakeCall["waiting"]) => boolean): FakeCall {
    const call = calls.get(callId);
    if (call === undefined) throw new FakeHostError("fake-host.unknown-call", `there was no call ${callId}`);
    if (!wanted(call.waiting)) throw new FakeHostError("fake-host.not-waiting", `${callId} does not wait for that`);
    return call;
  }

  function contextFor({
    callId = `call-${++made}`,
    signal = new AbortController().signal,
    caller,
  }: FakeCallOptions): ToolContext {
    return {
      callId,
      taskId: "task-1",
      contextId: "context-1",
      caller: { class: "operator", unattended: false, incognito: false, ...caller },
      signal,
      log: {
        info: (message) => void log.push({ level: "info", message }),
        warn: (message) => void log.push({ level: "warn", message }),
      },
      now: () => new Date(time),
    };
  }

  return {
    log,
    setTime: (next) => {
      time = next;
    },
    async call(name, args, options = {}) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new FakeHostError("fake-host.unknown-tool", `no tool is named ${name}`);
      const context = contextFor(options);
      const { callId } = context;
      const parsed = parseFakeArguments(tool, args);
      if (!parsed.ok) return { kind: "invalid", callId, message: parsed.message };
      const call: FakeCall = { tool, input: parsed.input, context, waiting: undefined };
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
      const said = answerFor(call.waiting as ParkRequest, answer);
      return settleCall(call, () =>
        call.tool.resume === undefined ? resultOf(said) : call.tool.resume(call.input, said, call.context),
      );
    },
    async reconcile(callId) {
      const call = waitingCall(callId, () => true);
      if (call.tool.reconcile === undefined) return { kind: "cannot-tell" };
      try {
        const output = await call.tool.reconcile(call.input, call.context);
        return output === undefined ? { kind: "did-not-happen" } : { kind: "happened", output };
      } catch (error) {
        return { kind: "cannot-tell", error };
      }
    },
  };
}
