/** One call from its intent to its outcome, whether the model made it or another call did (R3, R4). */
import type { InnerCalls } from "@agent-service/plugin-sdk";
import { reconcileCall, runTool, type ToolCall, type ToolRun } from "../../tool/index.ts";
import { DetachedError } from "../detached-error.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import { withoutOperator } from "../unattended.ts";
import type { CallBatch, RunnableCall } from "./call-batch.ts";
import { callContext } from "./call-context.ts";
import { type KeepNote, noteKeeper, noteValue } from "./call-note.ts";
import { progressTexts } from "./call-progress.ts";

/** What a call runs with beside its turn. */
export interface CallFrame {
  readonly batch: CallBatch;
  /** Ends the call: the turn's signal, or one that follows it. */
  readonly signal: AbortSignal;
  /** For a tool that makes calls. */
  readonly calls?: InnerCalls | undefined;
  /** Stores what the call keeps. */
  readonly keep: KeepNote;
}

/** Runs the tool; asks it, where the call ended `unknown`, whether it happened. @throws DetachedError when the turn was aborted */
export async function runCall(
  state: TurnState,
  deps: TurnDeps,
  run: RunnableCall,
  { batch, signal, calls, keep }: CallFrame,
): Promise<ToolRun> {
  const { clock, redactor, log } = deps;
  const { id } = run.call;
  const base = callContext(state, batch, deps, id);
  const showProgress = progressTexts({
    clock,
    publish: (text) =>
      deps.onProgress?.({ view: state.record.view, call: id, name: run.tool.name, text: redactor.known(text) }),
    isRunning: () => batch.openCalls.has(id) && !signal.aborted,
  });
  const context = {
    ...base,
    progress(text?: string) {
      base.progress();
      // Nothing of an incognito turn may be kept outside of it.
      if (typeof text === "string" && text !== "" && !base.caller.incognito) showProgress(text);
    },
    // A former process may have ended after the last answer: what continues by its note gets that one too.
    ...(run.reattaches && { earlierAnswers: batch.insideAnswers.get(id) ?? [] }),
    ...(calls !== undefined && { calls }),
    keep: noteKeeper(batch, id, keep),
    get kept() {
      return noteValue(batch.notes.get(id));
    },
  };
  const call = { tool: run.tool, input: run.input, context, signal, clock, redactor, log };
  let ended = await runTool({ ...call, ...continuation(run) });
  throwIfDetached(state);
  if (ended.kind === "done" && ended.outcome === "unknown") {
    const verdict = await reconcileCall({ ...call, signal: state.signal });
    throwIfDetached(state);
    ended = settledBy(verdict, ended);
  }
  state.aliveAt = clock.now();
  return withoutOperator(state, ended) ?? ended;
}

/** Where the call goes on; nothing: it begins. */
function continuation({ reattaches, answer }: RunnableCall): Pick<ToolCall, "answer" | "reattaches"> {
  if (reattaches === true) return { reattaches };
  return answer === undefined ? {} : { answer };
}

/** The abort closes the calls of the turn, or leaves them for the next process (R3). */
function throwIfDetached({ signal }: TurnState): void {
  if (signal.aborted) throw new DetachedError("aborted during a tool call");
}

function settledBy(
  verdict: Awaited<ReturnType<typeof reconcileCall>>,
  ended: Extract<ToolRun, { kind: "done" }>,
): ToolRun {
  switch (verdict.kind) {
    case "happened": {
      const component = verdict.component === undefined ? {} : { component: verdict.component };
      return { kind: "done", outcome: "ok", text: verdict.text, ...component };
    }
    case "did-not-happen": {
      const text = `Error: ${ended.text.replace(" and may have happened", "; it did not happen")}`;
      return { kind: "done", outcome: "error", text };
    }
    case "unknown":
      return ended;
  }
}
