/**
 * Calls of one server's tools, as the engine makes them.
 *
 * A call of an effect is sent once (MC2). After a question of the 2026 era it is sent again with the answers and the state
 * that came with the question. A question of the 2025 era holds the call in memory: answered after a restart it is `unknown`
 * (M7). The note says whether answers were on their way at a crash: a person is asked then whether the call is to be made
 * again. A call that became a task of the server is never sent again: the task is asked for, restarts later.
 */
import { createHash } from "node:crypto";
import { OutcomeUnknownError, type ParkAnswer, type ToolContext, toolResult } from "@agent-service/plugin-sdk";
import { canonicalJson, type JsonObject } from "../../json/index.ts";
import { ConnectionError, type Elicitation, type ManagedServer, taskOf } from "../connection/index.ts";
import { offeredTool, type PinnedDefinition } from "../definition/index.ts";
import { McpError } from "../mcp-error.ts";
import type { SamplingAsk } from "../offer/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import { readCallResult } from "../result/index.ts";
import type { ToolCalls } from "../tool/index.ts";
import { CANCELED, elicitResult, parkOf } from "./elicitation.ts";
import { cancelTask, followTask } from "./follow-task.ts";
import { type HeldNote, heldNote } from "./held-note.ts";
import { type AskedNote, askedBy, askedNote, keptNote, nextQuestion, type Question } from "./input-required.ts";
import { type CallAnswer, RunningCall } from "./running-call.ts";
import { sendCall } from "./send-call.ts";
import type { Call, Following, Sent, ServerCallsOptions } from "./server-calls-options.ts";
import { newTask, type TaskNote, taskNote } from "./task-note.ts";
import { type TimeLimit, timeLimit } from "./time-limit.ts";

type Outcome = Awaited<ReturnType<ToolCalls["run"]>>;

export class ServerCalls implements ToolCalls {
  readonly #options: ServerCallsOptions;
  readonly #running = new Map<RunningCall, Call>();

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
    // Its answer was on its way at a crash, and a person wants the call made again.
    if (running === undefined && heldNote(context.kept)?.isAnswered === true)
      return this.#follow(call, this.#start(call, undefined), undefined);
    if (running === undefined) return this.#afterRestart(call);
    await context.keep({ kind: "held", isAnswered: true } satisfies HeldNote);
    running.answer(elicitResult(answer));
    return this.#follow(call, running, undefined);
  }

  async reattach(tool: string, input: unknown, context: ToolContext): Promise<Outcome> {
    const call = this.#callOf(tool, input, context);
    const task = taskNote(context.kept);
    if (task !== undefined) return this.#ask(call, task);
    const note = askedNote(context.kept);
    return note === undefined ? this.#afterRestart(call) : this.#ask(call, note);
  }

  /** Answers that were on their way at a crash may have done what the call does: that is for a person to say (R3). */
  reattaches(tool: string, kept: unknown): boolean {
    if (this.#options.effect(tool) !== "effect") return true;
    return askedNote(kept)?.isSent !== true && heldNote(kept)?.isAnswered !== true;
  }

  /** A server of the 2025 era asks: whom it asks is clear where one call of it runs that does not ask yet. */
  onElicitation(elicitation: Elicitation): Promise<JsonObject> {
    const [only] = this.#only();
    return only === undefined ? Promise.resolve(CANCELED) : only.ask(elicitation);
  }

  /** A server of the 2025 era asks the service. @throws ConnectionError with what the server is answered */
  async onOffered(method: OfferedMethod, { params, signal }: Elicitation): Promise<JsonObject> {
    const { settings, roots } = this.#options;
    if (!settings().offers.has(method)) throw new ConnectionError("server", "this is not offered");
    if (method === "roots/list") return roots();
    const [only, call] = this.#only();
    if (only === undefined || call === undefined)
      throw new ConnectionError("server", "a model is asked during a call, while no other one runs");
    const digest = createHash("sha256").update(canonicalJson(params)).digest("hex");
    const givenUp = AbortSignal.any([signal, only.signal]);
    return this.#sample(call, { name: `${only.asked++}:${digest}`, params, givenUp });
  }

  /** The call that a question on the connection belongs to, where that is clear. */
  #only(): readonly [RunningCall, Call] | readonly [] {
    const candidates = [...this.#running].filter(([{ isAsking }]) => !isAsking);
    return candidates.length === 1 ? (candidates[0] ?? []) : [];
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
    this.#running.set(running, call);
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
    const { clock, settings } = this.#options;
    const offers = () => settings().offers;
    try {
      const end = await followTask(note, waitMs, { clock, signal, server, onMessage, offers });
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
    const limit = this.#limitOf(call);
    let isHeld = false;
    try {
      for (;;) {
        const step = await running.next(limit.signal);
        if (step.kind === "result") return await this.#result(call, step.result, note);
        if (step.kind === "task") return await this.#ask(call, step.note);
        const asked = call.context.caller.unattended ? undefined : this.#parkOf(call, step.question.params, true);
        isHeld = asked !== undefined && this.#options.held.hold(call.context.callId, running);
        if (isHeld && asked !== undefined) {
          if (heldNote(call.context.kept) !== undefined)
            await call.context.keep({ kind: "held", isAnswered: false } satisfies HeldNote);
          return asked;
        }
        step.question.answer(CANCELED);
      }
    } catch (error) {
      throw this.#errorOf(call, error);
    } finally {
      limit.end();
      if (!isHeld) {
        this.#running.delete(running);
        running.end();
      }
    }
  }

  async #result(call: Call, result: JsonObject, before: AskedNote | undefined): Promise<Outcome> {
    const { maxResultChars, offers } = this.#options.settings();
    const asked = askedBy(result, before, offers);
    if (typeof asked === "string") throw new McpError("mcp.tool_error", `${this.#options.name}: ${asked}`);
    if (asked !== undefined) return this.#ask(call, asked);
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
    if (question.method !== undefined) return this.#ask(call, await this.#answeredHere(call, note, question));
    const { elicitation } = this.#options.settings();
    const mayAsk = elicitation && !call.context.caller.unattended;
    const asked = mayAsk ? this.#parkOf(call, question.params, false) : undefined;
    const { key } = question;
    if (asked === undefined) return this.#ask(call, { ...note, answers: { ...note.answers, [key]: CANCELED } });
    await call.context.keep(keptNote(note));
    return asked;
  }

  /** Answers what is asked of the service, within the time that calls have. */
  async #answeredHere<Note extends AskedNote | TaskNote>(call: Call, note: Note, question: Question): Promise<Note> {
    const { key, method, params } = question;
    if (note.kind === "asked") await call.context.keep(keptNote(note));
    const limit = this.#limitOf(call);
    try {
      const answer =
        method === "sampling/createMessage"
          ? await this.#sample(call, { name: `${note.rounds}:${key}`, params, givenUp: limit.isOver })
          : this.#options.roots();
      return { ...note, answers: { ...note.answers, [key]: answer } };
    } catch (error) {
      if (note.kind === "asked" || call.context.signal.aborted) throw this.#errorOf(call, error);
      const server = this.#serverOf(note);
      if (server !== undefined) void cancelTask(server, note);
      const isKnown = error instanceof ConnectionError;
      throw this.#errorOf(call, isKnown ? new ConnectionError("lost", error.message) : error);
    } finally {
      limit.end();
    }
  }

  #sample({ context }: Call, ask: Pick<SamplingAsk, "name" | "params" | "givenUp">): Promise<JsonObject> {
    const { taskId, callId, signal } = context;
    return this.#options.sample({ ...ask, server: this.#options.name, taskId, callId, signal });
  }

  #limitOf({ context }: Call): TimeLimit {
    const { clock, settings } = this.#options;
    return timeLimit(clock, settings().callTimeoutMs, context.signal);
  }

  async #sendAnswers(call: Call, note: AskedNote): Promise<Outcome> {
    const sent = { ...note, isSent: true };
    await call.context.keep(keptNote(sent));
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
    // Nothing is left to answer where the answers were on their way at a crash, and a person wants them sent again.
    if (question === undefined) return this.#ask(call, note);
    return this.#ask(call, { ...note, answers: { ...note.answers, [question.key]: elicitResult(answer) } });
  }

  /** What was sent is not known any more: only what changes nothing, or changes it once, is sent again. */
  #afterRestart(call: Call): Promise<Outcome> {
    if (call.effect === "effect")
      throw new OutcomeUnknownError("the service restarted while the server had the call: it may have happened");
    return this.#follow(call, this.#start(call, undefined), undefined);
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
