import type { ToolCaller, ToolContext } from "../tool/index.ts";

/** The parts of a context that a test sets; the caller may be given in part. */
export type FakeContextOptions = Partial<Omit<ToolContext, "caller">> & { readonly caller?: Partial<ToolCaller> };

/**
 * A context for a test that calls a tool's functions itself: an operator whose turn a person follows, at
 * 2026-01-01T00:00:00Z, a log that goes nowhere and a signal that is never aborted. What it is given to keep goes nowhere.
 */
export function fakeContext({ caller, ...given }: FakeContextOptions = {}): ToolContext {
  return {
    callId: "call-1",
    taskId: "task-1",
    contextId: "context-1",
    caller: { class: "operator", unattended: false, incognito: false, bypass: false, tainted: false, ...caller },
    signal: new AbortController().signal,
    log: { info: () => {}, warn: () => {} },
    now: () => new Date("2026-01-01T00:00:00Z"),
    progress: () => {},
    keep: async () => {},
    earlierAnswers: [],
    fromOutside: () => {},
    ...given,
  };
}
