/**
 * Calls made inside a call: what a tool with `callsTools`, a script's, does with the tools of its turn.
 *
 * Invariants
 *  SC1  Each is a call of the task: a row with `parent`, events with `parentCall`, decided in `decide-call.ts`'s order.
 *  SC2  A call is known by (calling call, digest, how-many-eth of them). One with an outcome is answered from its row and
 *       never made again; one without follows the effect rule (R3).
 *  SC3  A call that a person is asked about makes the calling call wait; after the answer, or a restart, that one runs
 *       again from its top over the recorded outcomes.
 *  SC4  They are in no conversation: history, rounds and the guard of repeats leave them out. Ending the task closes them.
 *
 * The outcome of a pure call is committed no later than the next intent: what a script did with it follows from the journal.
 */
import { hash } from "node:crypto";
import type { InnerCalls, InnerOutcome } from "@agent-service/plugin-sdk";
import type { CallOutcome } from "../event/index.ts";
import { parseArguments, type ToolRun, textWithoutImages } from "../tool/index.ts";
import { addDelegation } from "./account.ts";
import { parkPayload } from "./batch/approval-payload.ts";
import type { CallBatch, InnerCall, OpenCall, RunnableCall } from "./batch/call-batch.ts";
import { callContext } from "./batch/call-context.ts";
import type { KeepNote } from "./batch/call-note.ts";
import { callBegun, callFinished, callStarted, closeCallRow, openCallRow } from "./batch/call-rows.ts";
import { decideCall, isRepeatable, makesCalls, promptFor, type WaitingCall } from "./batch/decide-call.ts";
import { runCall } from "./batch/run-call.ts";
import { toolboxOf } from "./role-of.ts";
import { taintByResult } from "./taint.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnState } from "./turn-state.ts";

/** Calls that one call may make. */
export const MAX_INNER_CALLS = 500;
/** Characters that their results may have together. */
const MAX_RESULT_CHARS = 16 * 1024 * 1024;
/** Milliseconds until calls that run, and outcomes that wait for a commit, are shown. */
const SHOWN_MS = 50;

/** What the batch does for the calls of one of its calls. */
export interface InnerCallsOptions {
  readonly state: TurnState;
  readonly batch: CallBatch;
  readonly deps: TurnDeps;
  /** Commits what waits in the carry, after the commits before. */
  commit(label: string): Promise<void>;
}

/** The calls that one run of a call makes. */
export class CallsInside {
  readonly #parent: Pick<OpenCall, "id">;
  readonly #options: InnerCallsOptions;
  /** Of all its calls: aborted with the turn, and when the calling tool has returned. */
  readonly #abort = new AbortController();
  readonly #abortWithTurn: () => void;
  readonly #waiting: WaitingCall[] = [];
  /** How many equal calls this run has made, by digest. */
  readonly #made = new Map<string, number>();
  readonly #running = new Set<Promise<unknown>>();
  /** Calls that wait for one of the places at a time. */
  readonly #queue: (() => void)[] = [];
  #places: number;
  #calls = 0;
  #chars = 0;
  #failure: { readonly error: unknown } | undefined;
  #show: { cancel(): void } | undefined;
  readonly api: InnerCalls;

  constructor(parent: Pick<OpenCall, "id"> & { readonly startedAt: number }, options: InnerCallsOptions) {
    this.#parent = parent;
    this.#options = options;
    this.#places = options.deps.limits.parallelCalls;
    const { state, deps } = options;
    this.#abortWithTurn = () => this.#abort.abort(state.signal.reason);
    if (state.signal.aborted) this.#abortWithTurn();
    else state.signal.addEventListener("abort", this.#abortWithTurn, { once: true });
    const toolbox = toolboxOf(state.record, deps);
    const names = toolbox.names.filter((name) => {
      const tool = toolbox.get(name);
      return tool !== undefined && !makesCalls(tool) && tool.endsTurn !== true;
    });
    this.api = {
      names,
      startedAt: new Date(parent.startedAt),
      call: (name, args) => {
        const made = this.#follow(this.#make(name, args));
        // The tool may have ended, and listens no more.
        made.catch(() => {});
        return made;
      },
    };
  }

  /** Calls that wait for a person, in the order they were made. */
  get waiting(): readonly WaitingCall[] {
    return this.#waiting;
  }

  /** What people wrote when they approved its calls, for the model to read. */
  get notes(): readonly string[] {
    const { answers, inner } = this.#options.batch;
    return [...answers].flatMap(([id, { answer, reason }]) => {
      const own = inner.get(id);
      if (own?.parent !== this.#parent.id || answer.kind !== "approval" || reason === "inside") return [];
      return answer.note === undefined || !answer.approved
        ? []
        : [`The person who approved ${own.name} says: ${answer.note}`];
    });
  }

  /**
   * The calling tool has returned. Calls that still run are ended, except where the run waits for a person: what else it
   * began goes on then. @throws DetachedError, DatabaseError what a call failed with that is no outcome of it
   */
  async end(): Promise<void> {
    if (this.#waiting.length === 0) this.#abort.abort();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    this.#show?.cancel();
    this.#options.state.signal.removeEventListener("abort", this.#abortWithTurn);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** A failure ends the turn, whatever the tool makes of it. */
  async #follow(made: Promise<InnerOutcome>): Promise<InnerOutcome> {
    this.#running.add(made);
    try {
      return await made;
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#running.delete(made);
    }
  }

  async #make(name: string, args: string): Promise<InnerOutcome> {
    const { state, batch, deps } = this.#options;
    const tool = this.api.names.includes(name) ? toolboxOf(state.record, deps).get(name) : undefined;
    if (tool === undefined) return refused(`Error: there is no tool named ${JSON.stringify(name.slice(0, 64))} here.`);
    if (++this.#calls > MAX_INNER_CALLS) return refused(`Error: at most ${MAX_INNER_CALLS} calls can be made here.`);
    if (this.#chars > MAX_RESULT_CHARS) return refused("Error: the results so far are as large as they may be.");
    const parsed = parseArguments(tool, args);
    const written = parsed.ok ? parsed.canonical : args;
    const inner = this.#known({ name, args: written, digest: parsed.digest });
    if (inner.recorded !== undefined) return this.#ended(inner.recorded.outcome, inner.recorded.text);
    const decision = await decideCall(state, batch, deps, { id: inner.id, name, args });
    switch (decision?.kind) {
      case "ask":
        this.#waiting.push(decision.wait);
        return { kind: "waits" };
      case "result":
        this.#settle(inner, decision);
        return this.#ended(decision.outcome, decision.text);
      case "run":
        return this.#inTurn(() => this.#run(inner, decision.run));
      case undefined:
        return refused("Error: the call has an outcome already.");
    }
  }

  /** The call as it is known over all runs (SC2). */
  #known({ name, args, digest }: Pick<InnerCall, "name" | "args" | "digest">): InnerCall {
    const nth = this.#made.get(digest) ?? 0;
    this.#made.set(digest, nth + 1);
    const id = `call_${hash("sha256", `${this.#parent.id}\0${digest}\0${nth}`, "hex").slice(0, 32)}`;
    const { inner } = this.#options.batch;
    const known = inner.get(id);
    if (known !== undefined) return known;
    const made: InnerCall = { id, parent: this.#parent.id, name, args, digest };
    inner.set(id, made);
    return made;
  }

  #ended(outcome: CallOutcome, text: string): InnerOutcome {
    this.#chars += text.length;
    return { kind: "ended", ok: outcome === "ok", text };
  }

  async #inTurn(run: () => Promise<InnerOutcome>): Promise<InnerOutcome> {
    if (this.#places > 0) this.#places--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await run();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#places++;
      else next();
    }
  }

  async #run(inner: InnerCall, run: RunnableCall): Promise<InnerOutcome> {
    const { state, batch, deps, commit } = this.#options;
    if (this.#abort.signal.aborted) return refused("The call was not made: the call that wanted it has ended.");
    const open: OpenCall = {
      ...{ id: inner.id, name: inner.name, args: run.canonical, digest: inner.digest, parent: inner.parent },
      repeatable: isRepeatable(run.tool),
      startedAt: deps.clock.now(),
    };
    batch.openCalls.set(open.id, open);
    state.aliveAt = open.startedAt;
    state.carry.events.push(...callBegun(open, run));
    const isPure = run.tool.effect === "pure";
    if (isPure) this.#showLater();
    else {
      this.#store(open);
      await commit("turn.inner-intent");
    }
    const keep: KeepNote = (id, json) => {
      this.#store(open);
      state.carry.statements.push(deps.journal.statements.keepCallNote.bind({ id, note: json }));
      return commit("turn.call-note");
    };
    const ended = await runCall(state, deps, run, { batch, signal: this.#abort.signal, keep });
    if (ended.kind === "parked") {
      this.#store(open);
      const context = callContext(state, batch, deps, run.call.id);
      const payload = await parkPayload(state, deps, run, { request: ended.request, context });
      this.#waiting.push({ prompt: promptFor(batch, run, "inside", payload), digest: run.digest });
      batch.openCalls.delete(open.id);
      return { kind: "waits" };
    }
    const { images, ...shown } = ended;
    const closed = { ...shown, text: textWithoutImages(ended.text, images) };
    this.#close(run, open, closed);
    if (isPure) this.#showLater();
    else await commit("turn.inner-outcome");
    return this.#ended(closed.outcome, closed.text);
  }

  #store(open: OpenCall): void {
    const { state, batch, deps } = this.#options;
    if (batch.rows.has(open.id)) return;
    batch.rows.set(open.id, open);
    state.carry.statements.push(openCallRow(deps.journal.statements, state.record, open));
  }

  #close(run: RunnableCall, open: OpenCall, ended: Extract<ToolRun, { kind: "done" }>): void {
    const { state, batch, deps } = this.#options;
    const { outcome, text, component } = ended;
    const end = { outcome, text, at: deps.clock.now() };
    const title = run.present?.(outcome === "ok" ? "done" : "doing", { input: run.input, result: text });
    batch.openCalls.delete(open.id);
    batch.notes.delete(open.id);
    // Only that there is one: the text is with the tool that called.
    batch.results.set(open.id, "");
    state.carry.events.push(...callFinished(open, { ...end, title, ...(component !== undefined && { component }) }));
    taintByResult(state, deps, { tool: run.tool, saidSo: batch.outside.has(open.id) });
    for (const done of deps.delegated?.delegationsOf(open.id) ?? []) addDelegation(state, done);
    const stored = batch.rows.has(open.id);
    batch.rows.set(open.id, open);
    state.carry.statements.push(closeCallRow(deps.journal.statements, state.record, { ...open, stored }, end));
  }

  /** Records an outcome that needed no run. */
  #settle(
    inner: InnerCall,
    { outcome, text, canonical: args }: { outcome: CallOutcome; text: string; canonical: string },
  ) {
    const { state, batch, deps } = this.#options;
    const at = deps.clock.now();
    const call = { ...inner, args, startedAt: at };
    const stored = batch.rows.has(call.id);
    batch.results.set(call.id, "");
    if (!stored) batch.rows.set(call.id, { startedAt: at, repeatable: true });
    state.carry.events.push(callStarted(call), ...callFinished(call, { outcome, text, at }));
    const row = closeCallRow(deps.journal.statements, state.record, { ...call, stored }, { outcome, text, at });
    state.carry.statements.push(row);
    this.#showLater();
  }

  /** Commits by itself what no other commit took along meanwhile; calls that still run get their rows. */
  #showLater(): void {
    const { state, batch, deps, commit } = this.#options;
    this.#show ??= deps.clock.setTimeout(() => {
      this.#show = undefined;
      const running = [...batch.openCalls.values()].filter(({ parent }) => parent === this.#parent.id);
      for (const open of running) this.#store(open);
      if (state.carry.events.length === 0) return;
      commit("turn.inner-shown").catch((error: unknown) => {
        this.#failure ??= { error };
        this.#abort.abort();
      });
    }, SHOWN_MS);
  }
}

function refused(text: string): InnerOutcome {
  return { kind: "ended", ok: false, text };
}
