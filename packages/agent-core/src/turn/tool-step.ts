/**
 * One tool step: decide about every call of the last assistant message, run what may run, and either go on or park
 * (rulings R3, R4, A13; E5, E6, E8).
 */
import type { ComponentOutput, ParkRequest } from "@agent-service/plugin-sdk";
import type { CallOutcome, PendingPrompt, PromptPayload } from "../event/index.ts";
import { reconcileCall, runTool, type ToolRun } from "../tool/index.ts";
import { billTo } from "./bill.ts";
import { callFinished, closeCallRow, openCallRow, preview } from "./call-rows.ts";
import { commitTurn, throwIfAborted } from "./commit.ts";
import { callContext, decideCall, promptFor, type RunnableCall, type WaitingCall } from "./decide-call.ts";
import { DetachedError } from "./detached-error.ts";
import { toolboxOf } from "./role-of.ts";
import type { OpenCall, TurnDeps, TurnState } from "./turn-state.ts";
import { answerOfNobody } from "./unattended.ts";

/** Milliseconds pure calls get to end before their start is shown; ended by then, their intent shares the outcome's commit (E5). */
const GRACE_MS = 10;

function isRepeatable(run: RunnableCall): boolean {
  return run.tool.effect === "pure" || run.tool.effect === "idempotent";
}

function payloadOf(run: RunnableCall, request: ParkRequest): PromptPayload {
  if (request.kind !== "approval") return request;
  const { title, detail } = request;
  return { kind: "approval", title, detail, tool: run.tool.name, args: JSON.parse(run.canonical) as unknown };
}

/** Runs the calls of one step and keeps their rows in order. */
class ToolBatch {
  readonly #state: TurnState;
  readonly #deps: TurnDeps;
  readonly #waiting: WaitingCall[] = [];
  #commits: Promise<void> = Promise.resolve();
  /** Outcomes commit one by one from here on; before, they may share the next commit. */
  #committing = false;

  constructor(state: TurnState, deps: TurnDeps) {
    this.#state = state;
    this.#deps = deps;
  }

  /** Calls that wait for a person, in no particular order. */
  get waiting(): readonly WaitingCall[] {
    return this.#waiting;
  }

  wait(call: WaitingCall): void {
    this.#waiting.push(call);
  }

  /** Records an outcome that needed no run. */
  settle(
    call: { id: string; name: string; args: string; digest: string },
    end: { outcome: CallOutcome; text: string; component?: ComponentOutput },
  ): void {
    const at = this.#deps.clock.now();
    this.#state.results.set(call.id, end.text);
    const ends = end.outcome === "ok" && toolboxOf(this.#state, this.#deps).get(call.name)?.endsTurn === true;
    if (ends) this.#state.endedBy = end.text;
    this.#state.carry.events.push(
      { kind: "tool.started", call: call.id, name: call.name, args: preview(call.args) },
      ...callFinished({ ...call, startedAt: at }, { ...end, at }),
    );
    const row = closeCallRow(
      this.#deps.journal.statements,
      this.#state.record,
      { ...call, stored: this.#state.rows.has(call.id), startedAt: at },
      { ...end, at },
    );
    if (!this.#state.rows.has(call.id)) this.#state.rows.set(call.id, { startedAt: at, repeatable: true });
    this.#state.carry.statements.push(row);
    this.#countRepeat(call.digest, end.text);
  }

  #countRepeat(digest: string, text: string): void {
    const key = `${digest}\0${text}`;
    const { repeat } = this.#state;
    this.#state.repeat = repeat.key === key ? { ...repeat, count: repeat.count + 1 } : { key, count: 1, noted: false };
  }

  /** Runs calls, `parallelCalls` at a time. */
  async run(runs: readonly RunnableCall[]): Promise<void> {
    if (runs.length === 0) return;
    const queue = [...runs];
    const first = queue.splice(0, this.#deps.limits.parallelCalls);
    const shared = runs.every((run) => run.tool.effect === "pure");
    const begun = first.map((run) => ({ run, open: this.#begin(run, !shared) }));
    if (!shared) {
      this.#committing = true;
      await commitTurn(this.#state, this.#deps, { label: "turn.tool-intent", events: [] });
    }
    const grace = shared ? this.#deps.clock.setTimeout(() => this.#showRunning(), GRACE_MS) : undefined;
    const worker = async (own: { run: RunnableCall; open: OpenCall }): Promise<void> => {
      let current: { run: RunnableCall; open: OpenCall } | undefined = own;
      while (current !== undefined) {
        await this.#finish(current.run, current.open, queue.length > 0);
        throwIfAborted(this.#state);
        const next = queue.shift();
        if (next === undefined) return;
        current = { run: next, open: this.#begin(next, !shared || this.#committing) };
        if (!isRepeatable(next) || this.#committing) await this.#commit("turn.tool-intent");
      }
    };
    try {
      await Promise.all(begun.map(worker));
    } finally {
      grace?.cancel();
    }
    await this.#commits;
  }

  #begin(run: RunnableCall, store: boolean): OpenCall {
    const open: OpenCall = {
      id: run.call.id,
      name: run.tool.name,
      repeatable: isRepeatable(run),
      startedAt: this.#deps.clock.now(),
      args: run.canonical,
      digest: run.digest,
    };
    this.#state.openCalls.set(open.id, open);
    this.#state.aliveAt = open.startedAt;
    this.#state.carry.events.push({ kind: "tool.started", call: open.id, name: open.name, args: preview(open.args) });
    if (store) this.#store(open);
    return open;
  }

  #store(open: OpenCall): void {
    if (this.#state.rows.has(open.id)) return;
    this.#state.rows.set(open.id, open);
    this.#state.carry.statements.push(openCallRow(this.#deps.journal.statements, this.#state.record, open));
  }

  /** Pure calls that outlast the grace are shown as running. */
  #showRunning(): void {
    this.#committing = true;
    for (const open of this.#state.openCalls.values()) this.#store(open);
    // A failed commit ends the turn where the batch awaits it.
    this.#commit("turn.tool-intent").catch(() => {});
  }

  #commit(label: string): Promise<void> {
    this.#commits = this.#commits.then(() => commitTurn(this.#state, this.#deps, { label, events: [] }));
    return this.#commits;
  }

  async #finish(run: RunnableCall, open: OpenCall, more: boolean): Promise<void> {
    const { signal } = this.#state;
    const { clock, redactor, log } = this.#deps;
    const context = callContext(this.#state, this.#deps, run.call.id);
    const call = { tool: run.tool, input: run.input, context, signal, clock, redactor, log };
    let ended = await runTool(run.answer === undefined ? call : { ...call, answer: run.answer });
    // Whoever aborted the turn closes its calls, or leaves them for the next process (ruling R3).
    if (signal.aborted) throw new DetachedError("aborted during a tool call");
    if (ended.kind === "done" && ended.outcome === "unknown") ended = await this.#reconcile(call, ended);
    this.#state.aliveAt = this.#deps.clock.now();
    ended = answerOfNobody(this.#state, ended) ?? ended;
    if (ended.kind === "parked") {
      this.#store(open);
      const prompt = promptFor(run, "inside", payloadOf(run, ended.request));
      this.#waiting.push({ prompt, digest: run.digest });
      this.#state.openCalls.delete(open.id);
      return;
    }
    this.#close(run, open, ended);
    const last = !more && this.#state.openCalls.size === 0;
    if (this.#committing && !last) await this.#commit("turn.tool-outcome");
  }

  async #reconcile(
    call: Parameters<typeof reconcileCall>[0],
    ended: Extract<ToolRun, { kind: "done" }>,
  ): Promise<ToolRun> {
    const verdict = await reconcileCall(call);
    if (this.#state.signal.aborted) throw new DetachedError("aborted during a tool call");
    switch (verdict.kind) {
      case "happened":
        return {
          kind: "done",
          outcome: "ok",
          text: verdict.text,
          ...(verdict.component ? { component: verdict.component } : {}),
        };
      case "did-not-happen":
        return {
          kind: "done",
          outcome: "error",
          text: `Error: ${ended.text.replace(" and may have happened", "; it did not happen")}`,
        };
      case "cannot-tell":
        return ended;
    }
  }

  #close(run: RunnableCall, open: OpenCall, ended: Extract<ToolRun, { kind: "done" }>): void {
    const at = this.#deps.clock.now();
    const { outcome, component } = ended;
    // What a person changed or said is for the model: events are told to peers too (ruling A13).
    const text = run.remark === undefined ? ended.text : `${run.remark}\n${ended.text}`;
    const end = { outcome, text: ended.text, at, ...(component === undefined ? {} : { component }) };
    this.#state.openCalls.delete(open.id);
    this.#state.results.set(open.id, text);
    if (run.tool.endsTurn === true && outcome === "ok") this.#state.endedBy = ended.text;
    this.#state.carry.events.push(...callFinished(open, end));
    for (const bill of this.#deps.delegated?.billOf(open.id) ?? []) billTo(this.#state, bill);
    const stored = this.#state.rows.has(open.id);
    this.#state.rows.set(open.id, open);
    this.#state.carry.statements.push(
      closeCallRow(this.#deps.journal.statements, this.#state.record, { ...open, stored }, { ...end, text }),
    );
    this.#countRepeat(run.digest, text);
  }
}

/** The calls of one step that wait, in call order, and their rows in the carry. */
function park(state: TurnState, deps: TurnDeps, waiting: readonly WaitingCall[]): PendingPrompt[] {
  const order = new Map(state.calls.map((call, index) => [call.id, index]));
  const sorted = [...waiting].sort((a, b) => order.get(a.prompt.callId)! - order.get(b.prompt.callId)!);
  const { id: task, class: callerClass, context } = state.record.view;
  for (const { prompt, digest } of sorted) {
    state.carry.statements.push(
      deps.journal.statements.insertPrompt.bind({
        id: prompt.promptId,
        task,
        call: prompt.callId,
        class: callerClass,
        context,
        reason: prompt.reason,
        payload: JSON.stringify(prompt.payload),
        digest,
        at: deps.clock.now(),
      }),
    );
  }
  return sorted.map((call) => call.prompt);
}

/**
 * Runs the step. Returns the prompts it parked on (committed), or an empty list to go on.
 * @throws DetachedError
 */
export async function toolStep(state: TurnState, deps: TurnDeps): Promise<readonly PendingPrompt[]> {
  const batch = new ToolBatch(state, deps);
  const runs: RunnableCall[] = [];
  for (const call of state.calls) {
    const decision = await decideCall(state, deps, call);
    throwIfAborted(state);
    if (decision === undefined) continue;
    if (decision.kind === "run") runs.push(decision.run);
    else if (decision.kind === "ask") batch.wait(decision.wait);
    else {
      batch.settle(
        { id: call.id, name: call.name, args: decision.canonical, digest: decision.digest },
        {
          outcome: decision.outcome,
          text: decision.text,
          ...(decision.component === undefined ? {} : { component: decision.component }),
        },
      );
    }
  }
  await batch.run(runs);
  if (batch.waiting.length === 0) return [];
  const prompts = park(state, deps, batch.waiting);
  await commitTurn(state, deps, { label: "turn.park", events: [{ kind: "task.parked", prompts }] });
  return prompts;
}
