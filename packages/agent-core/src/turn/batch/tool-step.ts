/**
 * One batch: decide about every call of the last assistant message, run what may run, and either continue or park
 * (R3, R4, A13; EN5, EN6, EN8).
 */
import type { ComponentOutput } from "@agent-service/plugin-sdk";
import { messageBody, showMessage } from "../../context/index.ts";
import type { CallOutcome, PendingPrompt } from "../../event/index.ts";
import type { ResultImage, ToolRun } from "../../tool/index.ts";
import { addDelegation } from "../account.ts";
import { commitTurn, throwIfAborted } from "../commit.ts";
import { messageRow } from "../finish.ts";
import { CallsInside } from "../inner-call.ts";
import { toolboxOf } from "../role-of.ts";
import { taintByResult } from "../taint.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import { parkPayload } from "./approval-payload.ts";
import type { CallBatch, OpenCall, RunnableCall } from "./call-batch.ts";
import { callContext } from "./call-context.ts";
import type { KeepNote } from "./call-note.ts";
import { callBegun, callFinished, callStarted, closeCallRow, openCallRow } from "./call-rows.ts";
import { decideCall, isRepeatable, makesCalls, promptFor, type WaitingCall } from "./decide-call.ts";
import { runCall } from "./run-call.ts";

/** Milliseconds pure calls get to end before their start is shown; ended by then, their intent shares the outcome's commit (EN5). */
const GRACE_MS = 10;

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
    this.#state.carry.events.push(callStarted(call), ...callFinished({ ...call, startedAt: at }, { ...end, at }));
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
    const shared = runs.every(({ tool }) => tool.effect === "pure" && !makesCalls(tool));
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
        if (!isRepeatable(next.tool) || this.#committing) await this.#commit("turn.tool-intent");
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
      repeatable: isRepeatable(run.tool),
      startedAt: this.#deps.clock.now(),
      args: run.canonical,
      digest: run.digest,
    };
    this.#batch.openCalls.set(open.id, open);
    this.#state.aliveAt = open.startedAt;
    this.#state.carry.events.push(...callBegun(open, run));
    if (store) this.#store(open);
    return open;
  }

  #store(open: OpenCall): void {
    if (this.#batch.rows.has(open.id)) return;
    this.#batch.rows.set(open.id, open);
    this.#state.carry.statements.push(openCallRow(this.#deps.journal.statements, this.#state.record, open));
  }

  #storeOpen(): void {
    this.#committing = true;
    for (const open of this.#batch.openCalls.values()) this.#store(open);
  }

  #keep(id: string, json: string): Promise<void> {
    this.#storeOpen();
    this.#state.carry.statements.push(this.#deps.journal.statements.keepCallNote.bind({ id, note: json }));
    return this.#commit("turn.call-note");
  }

  /** Pure calls that outlast the grace time are shown as running. */
  #showRunning(): void {
    this.#storeOpen();
    // A failed commit ends the turn where the batch awaits it.
    this.#commit("turn.tool-intent").catch(() => {});
  }

  #commit(label: string): Promise<void> {
    this.#commits = this.#commits.then(() => commitTurn(this.#state, this.#deps, { label, events: [] }));
    return this.#commits;
  }

  async #finish(run: RunnableCall, open: OpenCall, more: boolean): Promise<void> {
    const inside = makesCalls(run.tool) ? this.#callsInside(open) : undefined;
    const keep: KeepNote = (id, json) => this.#keep(id, json);
    const frame = { batch: this.#batch, signal: this.#state.signal, calls: inside?.api, keep };
    let ended: ToolRun;
    try {
      ended = await runCall(this.#state, this.#deps, run, frame);
    } finally {
      await inside?.end();
    }
    throwIfAborted(this.#state);
    if (ended.kind === "parked" || (inside !== undefined && inside.waiting.length > 0)) {
      this.#store(open);
      if (inside !== undefined) this.#waiting.push(...inside.waiting);
      if (ended.kind === "parked") {
        const context = callContext(this.#state, this.#batch, this.#deps, run.call.id);
        const asked = { request: ended.request, context };
        const payload = await parkPayload(this.#state, this.#deps, run, asked);
        this.#waiting.push({ prompt: promptFor(this.#batch, run, "inside", payload), digest: run.digest });
      }
      this.#batch.openCalls.delete(open.id);
      return;
    }
    const notes = inside?.notes ?? [];
    this.#close(
      notes.length === 0 ? run : { ...run, remark: [run.remark ?? [], notes].flat().join("\n") },
      open,
      ended,
    );
    const last = !more && this.#batch.openCalls.size === 0;
    // A turn that was restored reads its messages from the store, so images are there before the next model call.
    if (ended.images !== undefined || (this.#committing && !last)) await this.#commit("turn.tool-outcome");
  }

  #callsInside(open: OpenCall): CallsInside {
    const commit = (label: string) => this.#commit(label);
    const { startedAt } = this.#batch.rows.get(open.id) ?? open;
    const options = { state: this.#state, batch: this.#batch, deps: this.#deps, commit };
    return new CallsInside({ id: open.id, startedAt }, options);
  }

  #close(run: RunnableCall, open: OpenCall, ended: Extract<ToolRun, { kind: "done" }>): void {
    const at = this.#deps.clock.now();
    const { outcome, component, images } = ended;
    // What a person changed or noted is for the model: peers can read the events (A13).
    const text = run.remark === undefined ? ended.text : `${run.remark}\n${ended.text}`;
    const end = { outcome, text: ended.text, at, ...(component === undefined ? {} : { component }) };
    this.#batch.openCalls.delete(open.id);
    this.#batch.notes.delete(open.id);
    this.#batch.results.set(open.id, text);
    if (run.tool.endsTurn === true && outcome === "ok") this.#state.endedBy = ended.text;
    const { input, present } = run;
    const title = present?.(outcome === "ok" ? "done" : "doing", { input, result: ended.text });
    this.#state.carry.events.push(...callFinished(open, { ...end, title, images }));
    taintByResult(this.#state, this.#deps, { tool: run.tool, saidSo: this.#batch.outside.has(open.id) });
    for (const done of this.#deps.delegated?.delegationsOf(open.id) ?? []) addDelegation(this.#state, done);
    const stored = this.#batch.rows.has(open.id);
    this.#batch.rows.set(open.id, open);
    this.#state.carry.statements.push(
      closeCallRow(this.#deps.journal.statements, this.#state.record, { ...open, stored }, { ...end, text }),
    );
    if (images !== undefined) this.#addImages(open, images);
    this.#countRepeat(run.digest, text);
  }

  #addImages({ id, name }: OpenCall, images: readonly ResultImage[]): void {
    const text = `[Images of the result of ${name}, call ${id}]`;
    const note = { kind: "note", text, images, call: id } as const;
    this.#batch.images.push(...showMessage(note));
    this.#state.carry.statements.push(messageRow(this.#state.record, this.#deps, "note", messageBody(note)));
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
  const positionOf = ({ prompt }: WaitingCall): number => order.get(prompt.parentCall ?? prompt.callId)!;
  const sorted = waiting.toSorted((a, b) => positionOf(a) - positionOf(b));
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
