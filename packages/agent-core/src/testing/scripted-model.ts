import { type Clock, sleep, systemClock } from "../clock/index.ts";
import type { FinishReason, Model, ModelCallOptions, ModelEvent, ModelRequest, ModelUsage } from "../model/index.ts";

/** One thing a turn does. */
export type ScriptedAction =
  | { readonly say: string }
  | { readonly think: string }
  /** `args` that are not text are written as JSON; text is sent as it is, valid or not. */
  | { readonly call: { readonly name: string; readonly args?: unknown; readonly id?: string } }
  | { readonly usage: Partial<ModelUsage> }
  /** Default: `tool-calls` after a call, else `stop`. */
  | { readonly finish: FinishReason }
  /** Milliseconds by the given clock. */
  | { readonly wait: number }
  /** Waits for the promise, or the abort. */
  | { readonly until: Promise<unknown> }
  /** Never continues; only an abort ends it. */
  | { readonly hang: true }
  /** The call rejects with this value. */
  | { readonly fail: unknown }
  /** An event exactly as given, whether it makes sense or not. */
  | { readonly event: ModelEvent }
  /** The call ends here, without a finish. */
  | { readonly end: true };

/** What one call does; text alone is an answer. */
export type ScriptedTurn = string | readonly ScriptedAction[];

/** One call as the model got it. */
export interface RecordedCall {
  readonly request: ModelRequest;
  readonly options: ModelCallOptions;
}

/** A model whose answers are written down beforehand. */
export interface ScriptedModel extends Model {
  /** Every call so far, in order. */
  readonly calls: readonly RecordedCall[];
  /** Adds turns to the end of the list. */
  add(...turns: readonly ScriptedTurn[]): void;
  /** Waits for the call with this number, 1 being the first. */
  untilCall(count: number): Promise<RecordedCall>;
}

/**
 * A `Model` for tests: the first call gets the first turn, and so on; or a function decides from the request and the
 * call's number (1 for the first). A call beyond the list rejects.
 */
export function scriptedModel(
  turns: readonly ScriptedTurn[] | ((request: ModelRequest, count: number) => ScriptedTurn),
  options: { readonly clock?: Clock } = {},
): ScriptedModel {
  const clock = options.clock ?? systemClock();
  const list = typeof turns === "function" ? [] : [...turns];
  const calls: RecordedCall[] = [];
  let watchers: { readonly count: number; readonly resolve: (call: RecordedCall) => void }[] = [];

  function take(request: ModelRequest, callOptions: ModelCallOptions): { turn: ScriptedTurn; count: number } {
    // The engine continues adding to the list it gave.
    const call: RecordedCall = { request: { ...request, messages: [...request.messages] }, options: callOptions };
    calls.push(call);
    const count = calls.length;
    for (const watcher of watchers) if (watcher.count === count) watcher.resolve(call);
    watchers = watchers.filter((watcher) => watcher.count > count);
    const turn = typeof turns === "function" ? turns(request, count) : list[count - 1];
    return { turn: turn ?? [{ fail: new Error(`scriptedModel has no turn for call ${count}`) }], count };
  }

  return {
    calls,
    add: (...more) => void list.push(...more),
    untilCall(count) {
      const known = calls[count - 1];
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => watchers.push({ count, resolve }));
    },
    async *stream(request, callOptions) {
      callOptions.signal.throwIfAborted();
      const { turn, count } = take(request, callOptions);
      yield* play(typeof turn === "string" ? [{ say: turn }] : turn, count, clock, callOptions.signal);
    },
  };
}

async function* play(
  turn: readonly ScriptedAction[],
  count: number,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let made = 0;
  let reason: FinishReason | undefined;
  for (const action of turn) {
    signal.throwIfAborted();
    if ("end" in action) return;
    if ("fail" in action) throw action.fail;
    if ("wait" in action) await sleep(clock, action.wait, signal);
    else if ("until" in action) await orAborted(action.until, signal);
    else if ("hang" in action) await orAborted(new Promise(() => {}), signal);
    else if ("finish" in action) reason = action.finish;
    else if ("call" in action) {
      const { name, args = {}, id = `call_${count}_${made}` } = action.call;
      made += 1;
      yield { kind: "tool-call", call: { id, name, args: typeof args === "string" ? args : JSON.stringify(args) } };
    } else yield eventOf(action);
  }
  yield { kind: "finish", reason: reason ?? (made > 0 ? "tool-calls" : "stop") };
}

function eventOf(
  action: Extract<ScriptedAction, { say: string } | { think: string } | { usage: object } | { event: ModelEvent }>,
): ModelEvent {
  if ("say" in action) return { kind: "text", text: action.say };
  if ("think" in action) return { kind: "reasoning", text: action.think };
  if ("usage" in action) {
    return { kind: "usage", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...action.usage } };
  }
  return action.event;
}

function orAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(() => resolve(), reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
