/**
 * One batch: decide about every call of the last assistant message, run what may run, and either continue or park
 * (R3, R4, A13; EN5, EN6, EN8).
 */
import type { ComponentOutput, ParkRequest } from "@agent-service/plugin-sdk";
import type { CallOutcome, PendingPrompt, PromptPayload } from "../../event/index.ts";
import { reconcileCall, runTool, type ToolRun } from "../../tool/index.ts";
import { addDelegation } from "../account.ts";
import { commitTurn, throwIfAborted } from "../commit.ts";
import { DetachedError } from "../detached-error.ts";
import { toolboxOf } from "../role-of.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import { withoutOperator } from "../unattended.ts";
import type { CallBatch, OpenCall } from "./call-batch.ts";
import { callFinished, closeCallRow, openCallRow, preview } from "./call-rows.ts";
import { callContext, decideCall, promptFor, type RunnableCall, type WaitingCall } from "./decide-call.ts";

/** Milliseconds pure calls get to end before their start is shown; ended by then, their intent shares the outcome's commit (EN5). */
const GRACE_MS = 10;

function isRepeatable(run: RunnableCall): boolean {
  return run.tool.effect === "pure" || run.tool.effect === "idempotent";
}

function payloadOf(run: RunnableCall, request: ParkRequest): PromptPayload {
  if (request.kind !== "approval") return request;
  const { title, detail } = request;
  return { kind: "approval", title, detail, tool: run.tool.name, args: JSON.parse(run.canonical) as unknown };
}

/** Runs the calls of one batch and keeps their rows in order. */
class BatchRun {
  readonly #state: TurnState;
  readonly #batch: CallBatch;
  readonly #deps: TurnDeps;
  readonly #waiting: WaitingCall[] = [];
  #commits: Promise<void> = Promise.resolve();
  /** Outcomes commit one by one from here on; before, they may share the next commit. */
  #committing = false;

  constructor(state: TurnState, batch: CallBatch, deps: TurnDeps) {
    this.#state = state;
    this.#batch = batch;
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
    this.#batch.results.set(call.id, end.text);
    const ends = end.outcome === "ok" && toolboxOf(this.#state.record, this.#deps).get(call.name)?.endsTurn === true;
    if (ends) this.#state.endedBy = end.text;
    this.#state.carry.events.push(
      { kind: "tool.started", call: call.id, name: call.name, args: preview(call.args) },
      ...callFinished({ ...call, startedAt: at }, { ...end, at }),
    );
    const row = closeCallRow(
      this.#deps.journal.statements,
      this.#state.record,
      { ...call, stored: this.#batch.rows.has(call.id), startedAt: at },
      { ...end, at },
    );
    if (!this.#batch.rows.has(call.id)) this.#batch.rows.set(call.id, { startedAt: at, repeatable: true });
    this.#state.carry.statements.push(row);
    this.#countRepeat(call.digest, end.text);
  }

  #countRepeat(digest: string, text: string): void {
    const key = `${digest}\0${text}`;
    const { counts } = this.#state;
    const { repeat } = counts;
    counts.repeat = repeat.key === key ? { ...repeat, count: repeat.count + 1 } : { key, count: 1, noted: false };
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
    this.#batch.openCalls.set(open.id, open);
    this.#state.aliveAt = open.startedAt;
    const title = run.present?.("doing", { input: run.input });
    this.#state.carry.events.push({
      ...{ kind: "tool.started", call: open.id, name: open.name, args: preview(open.args) },
      ...(title !== undefined && { title }),
    });
    if (store) this.#store(open);
    return open;
  }

  #store(open: OpenCall): void {
    if (this.#batch.rows.has(open.id)) return;
    this.#batch.rows.set(open.id, open);
    this.#state.carry.statements.push(openCallRow(this.#deps.journal.statements, this.#state.record, open));
  }

  /** Pure calls that outlast the grace time are shown as running. */
  #showRunning(): void {
    this.#committing = true;
    for (const open of this.#batch.openCalls.values()) this.#store(open);
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
    const context = callContext(this.#state, this.#batch, this.#deps, run.call.id);
    const call = { tool: run.tool, input: run.input, context, signal, clock, redactor, log };
    let ended = await runTool(run.answer === undefined ? call : { ...call, answer: run.answer });
    // The abort closes the calls of the turn, or leaves them for the next process (R3).
    if (signal.aborted) throw new DetachedError("aborted during a tool call");
    if (ended.kind === "done" && ended.outcome === "unknown") ended = await this.#reconcile(call, ended);
    this.#state.aliveAt = this.#deps.clock.now();
    ended = withoutOperator(this.#state, ended) ?? ended;
    if (ended.kind === "parked") {
      this.#store(open);
      const prompt = promptFor(run, "inside", payloadOf(run, ended.request));
      this.#waiting.push({ prompt, digest: run.digest });
      this.#batch.openCalls.delete(open.id);
      return;
    }
    this.#close(run, open, ended);
    const last = !more && this.#batch.openCalls.size === 0;
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
      case "unknown":
        return ended;
    }
  }

  #close(run: RunnableCall, open: OpenCall, ended: Extract<ToolRun, { kind: "done" }>): void {
    const at = this.#deps.clock.now();
    const { outcome, component } = ended;
    // What a person changed or noted is for the model: peers can read the events (A13).
    const text = run.remark === undefined ? ended.text : `${run.remark}\n${ended.text}`;
    const end = { outcome, text: ended.text, at, ...(component === undefined ? {} : { component }) };
    this.#batch.openCalls.delete(open.id);
    this.#batch.results.set(open.id, text);
    if (run.tool.endsTurn === true && outcome === "ok") this.#state.endedBy = ended.text;
    const { input, present } = run;
    const title = present?.(outcome === "ok" ? "done" : "doing", { input, result: ended.text });
    this.#state.carry.events.push(...callFinished(open, { ...end, title }));
    for (const done of this.#deps.delegated?.delegationsOf(open.id) ?? []) addDelegation(this.#state, done);
    const stored = this.#batch.rows.has(open.id);
    this.#batch.rows.set(open.id, open);
    this.#state.carry.statements.push(
      closeCallRow(this.#deps.journal.statements, this.#state.record, { ...open, stored }, { ...end, text }),
    );
    this.#countRepeat(run.digest, text);
  }
}

/** The calls of a batch that wait, in call order, and their rows in the carry. */
function park(
  { record, carry }: Pick<TurnState, "record" | "carry">,
  { calls }: CallBatch,
  deps: Pick<TurnDeps, "journal" | "clock" | "newId">,
  waiting: readonly WaitingCall[],
): PendingPrompt[] {
  const order = new Map(calls.map((call, index) => [call.id, index]));
  const sorted = [...waiting].sort((a, b) => order.get(a.prompt.callId)! - order.get(b.prompt.callId)!);
  const { id: task, class: callerClass, context } = record.view;
  // Ids in call order: what waits since the same instant is listed by id.
  const prompts = sorted.map(({ prompt, digest }) => {
    const promptId = `prompt_${deps.newId().replaceAll("-", "")}`;
    return { prompt: { ...prompt, promptId }, digest };
  });
  for (const { prompt, digest } of prompts) {
    carry.statements.push(
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
  return prompts.map(({ prompt }) => prompt);
}

/**
 * Runs the batch. Returns the prompts it parked on (committed), or an empty list to continue.
 * @throws DetachedError
 */
export async function toolStep(state: TurnState, batch: CallBatch, deps: TurnDeps): Promise<readonly PendingPrompt[]> {
  const run = new BatchRun(state, batch, deps);
  const runs: RunnableCall[] = [];
  for (const call of batch.calls) {
    const decision = await decideCall(state, batch, deps, call);
    throwIfAborted(state);
    if (decision === undefined) continue;
    if (decision.kind === "run") runs.push(decision.run);
    else if (decision.kind === "ask") run.wait(decision.wait);
    else {
      run.settle(
        { id: call.id, name: call.name, args: decision.canonical, digest: decision.digest },
        {
          outcome: decision.outcome,
          text: decision.text,
          ...(decision.component === undefined ? {} : { component: decision.component }),
        },
      );
    }
  }
  await run.run(runs);
  if (run.waiting.length === 0) return [];
  const prompts = park(state, batch, deps, run.waiting);
  await commitTurn(state, deps, { label: "turn.park", events: [{ kind: "task.parked", prompts }] });
  return prompts;
}
