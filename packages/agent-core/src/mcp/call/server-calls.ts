/**
 * Calls of one server's tools, as the engine makes them.
 *
 * A call of an effect is sent once (MC2). After a question of the 2026 era it is sent again with the answers and the state
 * that came with the question: the note says whether that was done, so a crash in between makes it `unknown`. A question of
 * the 2025 era holds the call in memory: after a restart it is `unknown` (M7). A call that became a task of the server is
 * never sent again: the task is asked for, restarts later.
 */
import {
  type Effect,
  OutcomeUnknownError,
  type ParkAnswer,
  type ToolContext,
  toolResult,
} from "@agent-service/plugin-sdk";
import type { Clock } from "../../clock/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { ConnectionError, type Elicitation, type ManagedServer, taskOf } from "../connection/index.ts";
import { offeredTool, type PinnedDefinition } from "../definition/index.ts";
import { McpError } from "../mcp-error.ts";
import { readCallResult } from "../result/index.ts";
import type { ToolCalls } from "../tool/index.ts";
import { CANCELED, elicitResult, parkOf } from "./elicitation.ts";
import { cancelTask, followTask } from "./follow-task.ts";
import type { HeldCalls } from "./held-calls.ts";
import { type AskedNote, askedBy, askedNote, nextQuestion } from "./input-required.ts";
import { type CallAnswer, RunningCall } from "./running-call.ts";
import { sendCall } from "./send-call.ts";
import { newTask, type TaskNote, taskNote } from "./task-note.ts";

type Outcome = Awaited<ReturnType<ToolCalls["run"]>>;

/** What calls of a server are made with; read anew for every call. */
export interface CallSettings {
  readonly callTimeoutMs: number | null;
  readonly maxResultChars: number | null;
  /** It may ask people. */
  readonly elicitation: boolean;
}

export interface ServerCallsOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly held: HeldCalls;
  /** Undefined: it is switched off. */
  server(): ManagedServer | undefined;
  /** See `targetDigest`; undefined: it is configured no more. */
  target(): string | undefined;
  settings(): CallSettings;
  pin(tool: string): PinnedDefinition | undefined;
  effect(tool: string): Effect;
  /** Takes secrets out of what the server says, before it is cut. */
  redact(text: string): string;
  /** The `traceparent` of a call. */
  traceparent?(taskId: string, callId: string): string | undefined;
}

interface Call {
  readonly tool: string;
  readonly input: unknown;
  readonly context: ToolContext;
  readonly effect: Effect;
}

/** What a call was sent with. */
interface Sent {
  /** It stays connected while the call runs, also where the settings have another one of its name meanwhile. */
  readonly sentTo: ManagedServer | undefined;
  readonly signal: AbortSignal;
}

interface Following extends Sent {
  /** Milliseconds before the task is asked for. */
  readonly waitMs: number;
}

export class ServerCalls implements ToolCalls {
  readonly #options: ServerCallsOptions;
  readonly #running = new Set<RunningCall>();

  constructor(options: ServerCallsOptions) {
    this.#options = options;
  }

  pin(tool: string): PinnedDefinition | undefined {
    return this.#options.pin(tool);
  }

  async run(tool: string, input: unknown, context: ToolContext): Promise<Outcome> {
    const call = this.#callOf(tool, input, context);
    return this.#follow(call, this.#start(call, undefined), undefined);
  }

  async resume(tool: string, input: unknown, answer: ParkAnswer, context: ToolContext): Promise<Outcome> {
    const call = this.#callOf(tool, input, context);
    const note = askedNote(context.kept) ?? taskNote(context.kept);
    if (note !== undefined) return this.#answered(call, note, answer);
    const running = this.#options.held.take(context.callId);
    if (running === undefined) return this.#afterRestart(call);
    running.answer(elicitResult(answer));
    return this.#follow(call, running, undefined);
  }

  async reattach(tool: string, input: unknown, context: ToolContext): Promise<Outcome> {
    const call = this.#callOf(tool, input, context);
    const task = taskNote(context.kept);
    if (task !== undefined) return this.#ask(call, task);
    const note = askedNote(context.kept);
    if (note === undefined || note.isSent) return this.#afterRestart(call, note);
    return this.#ask(call, note);
  }

  /** A server of the 2025 era asks: whom it asks is clear where one call of it runs that does not ask yet. */
  onElicitation(elicitation: Elicitation): Promise<JsonObject> {
    const candidates = [...this.#running].filter(({ isAsking }) => !isAsking);
    const [only] = candidates;
    return candidates.length === 1 && only !== undefined ? only.ask(elicitation) : Promise.resolve(CANCELED);
  }

  /** A call was given up that had kept a note: where the server has a task for it, that is canceled. True: the server knows. */
  async giveUp(kept: unknown): Promise<boolean> {
    const note = taskNote(kept);
    const server = note && this.#serverOf(note);
    return note !== undefined && server !== undefined && cancelTask(server, note);
  }

  #callOf(tool: string, input: unknown, context: ToolContext): Call {
    return { tool, input, context, effect: this.#options.effect(tool) };
  }

  #start(call: Call, note: AskedNote | undefined): RunningCall {
    const { tool, input, context, effect } = call;
    const { server, traceparent, pin } = this.#options;
    const traced = traceparent?.(context.taskId, context.callId);
    const pinned = pin(tool);
    const definition = pinned === undefined ? undefined : offeredTool(pinned);
    const running = new RunningCall(context.taskId, (signal) => {
      const request = {
        ...{ name: tool, args: input as JsonObject, effect, signal },
        inputSchema: definition?.inputSchema ?? { type: "object" },
        onProgress: (text: string | undefined) => context.progress(text),
        ...(traced !== undefined && { meta: { traceparent: traced } }),
        ...(note !== undefined && { inputResponses: note.answers }),
        ...(note?.requestState != null && { requestState: note.requestState }),
      };
      return sendCall(server, request, (result, sentTo) => this.#answerOf(call, result, { sentTo, signal }));
    });
    this.#running.add(running);
    return running;
  }

  /** What a server answered: where it is a task, how that ends. */
  async #answerOf(call: Call, result: JsonObject, { sentTo, signal }: Sent): Promise<CallAnswer> {
    const task = taskOf(result);
    if (task === undefined) return { kind: "result", result };
    const note = newTask(task, this.#options.target() ?? "");
    if (note === undefined) throw new ConnectionError("lost", "it answered with a task that has no id");
    await call.context.keep(note);
    return this.#taskEnd(call, note, { sentTo, signal, waitMs: task.status === "working" ? note.intervalMs : 0 });
  }

  /** Follows a task. It is canceled where it is given up; where its turn ends, `endTask` sees to it. */
  async #taskEnd({ context }: Call, note: TaskNote, { sentTo, signal, waitMs }: Following): Promise<CallAnswer> {
    const server = (): ManagedServer | undefined => this.#serverOf(note) ?? sentTo;
    const onMessage = (text: string): void => context.progress(text);
    try {
      const end = await followTask(note, waitMs, { clock: this.#options.clock, signal, server, onMessage });
      return end.kind === "asks" ? { kind: "task", note: end.note } : { kind: "result", result: end.result };
    } catch (error) {
      const why: unknown = signal.aborted ? signal.reason : error;
      const isOver = !(why instanceof ConnectionError) || why.code === "server";
      const last = server();
      if (!isOver && last !== undefined) void cancelTask(last, note);
      throw error;
    }
  }

  /** The server that has a task. What is configured under its name now may be another one, which knows nothing of it. */
  #serverOf({ target }: TaskNote): ManagedServer | undefined {
    return this.#options.target() === target ? this.#options.server() : undefined;
  }

  /** Waits for what the call does next, within the time that calls have. */
  async #follow(call: Call, running: RunningCall, note: AskedNote | undefined): Promise<Outcome> {
    const { callTimeoutMs } = this.#options.settings();
    const limit = new AbortController();
    const endLate = (ms: number): void =>
      limit.abort(new ConnectionError("timeout", `it did not answer within ${ms / 1_000} s`));
    const timer =
      callTimeoutMs === null ? undefined : this.#options.clock.setTimeout(() => endLate(callTimeoutMs), callTimeoutMs);
    const signal = AbortSignal.any([call.context.signal, limit.signal]);
    let isHeld = false;
    try {
      for (;;) {
        const step = await running.next(signal);
        if (step.kind === "result") return await this.#result(call, step.result, note);
        if (step.kind === "task") return await this.#ask(call, step.note);
        const asked = call.context.caller.unattended ? undefined : this.#parkOf(call, step.question.params, true);
        isHeld = asked !== undefined && this.#options.held.hold(call.context.callId, running);
        if (isHeld && asked !== undefined) return asked;
        step.question.answer(CANCELED);
      }
    } catch (error) {
      throw this.#errorOf(call, error);
    } finally {
      timer?.cancel();
      if (!isHeld) this.#running.delete(running);
    }
  }

  async #result(call: Call, result: JsonObject, before: AskedNote | undefined): Promise<Outcome> {
    const asked = askedBy(result, before);
    if (typeof asked === "string") throw new McpError("mcp.tool_error", `${this.#options.name}: ${asked}`);
    if (asked !== undefined) return this.#ask(call, asked);
    const { maxResultChars } = this.#options.settings();
    const { ok, text, images } = readCallResult(result, {
      maxChars: maxResultChars,
      showsImages: true,
      redact: this.#options.redact,
    });
    if (!ok) throw new McpError("mcp.tool_error", text);
    return toolResult({ text, ...(images.length > 0 && { images }) });
  }

  /** Asks the next question of a round, or goes on where all are answered. */
  async #ask(call: Call, note: AskedNote | TaskNote): Promise<Outcome> {
    const question = nextQuestion(note);
    if (question === undefined) return note.kind === "task" ? this.#goOn(call, note) : this.#sendAnswers(call, note);
    const { elicitation } = this.#options.settings();
    const mayAsk = elicitation && !call.context.caller.unattended;
    const asked = mayAsk ? this.#parkOf(call, question.params, false) : undefined;
    const { key } = question;
    if (asked === undefined) return this.#ask(call, { ...note, answers: { ...note.answers, [key]: CANCELED } });
    await call.context.keep(note);
    return asked;
  }

  async #sendAnswers(call: Call, note: AskedNote): Promise<Outcome> {
    const sent = { ...note, isSent: true };
    await call.context.keep(sent);
    return this.#follow(call, this.#start(call, sent), sent);
  }

  #goOn(call: Call, note: TaskNote): Promise<Outcome> {
    const sentTo = this.#serverOf(note);
    const running = new RunningCall(call.context.taskId, (signal) => {
      const end = (): Promise<CallAnswer> => this.#taskEnd(call, note, { sentTo, signal, waitMs: 0 });
      return sentTo === undefined ? end() : sentTo.during(end);
    });
    return this.#follow(call, running, undefined);
  }

  #answered(call: Call, note: AskedNote | TaskNote, answer: ParkAnswer): Promise<Outcome> {
    const question = nextQuestion(note);
    if (question === undefined) return note.kind === "task" ? this.#goOn(call, note) : this.#afterRestart(call, note);
    return this.#ask(call, { ...note, answers: { ...note.answers, [question.key]: elicitResult(answer) } });
  }

  /** What was sent is not known any more: only what changes nothing, or changes it once, is sent again. */
  #afterRestart(call: Call, note?: AskedNote): Promise<Outcome> {
    if (call.effect === "effect")
      throw new OutcomeUnknownError("the service restarted while the server had the call: it may have happened");
    return this.#follow(call, this.#start(call, note), note);
  }

  #parkOf({ tool }: Call, params: JsonObject, isHeld: boolean) {
    return parkOf(params, { server: this.#options.name, tool, isHeld, redact: this.#options.redact });
  }

  #errorOf({ effect, context }: Call, error: unknown): unknown {
    if (context.signal.aborted || !(error instanceof ConnectionError)) return error;
    const { name } = this.#options;
    if (effect === "effect" && (error.code === "lost" || error.code === "timeout"))
      return new OutcomeUnknownError(`${name}: ${error.message}; the call may have happened`);
    const isAway = error.code === "not_sent" || error.code === "auth";
    return new McpError(isAway ? "mcp.unavailable" : "mcp.tool_error", `${name}: ${error.message}`);
  }
}
