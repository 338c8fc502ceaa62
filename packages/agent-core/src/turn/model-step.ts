/**
 * One model call (E5): intent committed, stream read, outcome put in the carry for the commit that follows. Retries
 * happen inside the model (its wrapper); a context overflow is told to the loop, which compacts once (ruling R5).
 */
import { storableText } from "../database/index.ts";
import { addUsage, type TaskFailure, type TaskOrigin, type TaskUsage, type TaskView } from "../event/index.ts";
import {
  estimateCost,
  ModelConfigError,
  ModelError,
  type ModelPriority,
  type ModelRequest,
  type ModelSettings,
  type ModelToolCall,
  type ModelUsage,
} from "../model/index.ts";
import { OPERATOR_CLASS, partyOf } from "../share/index.ts";
import { commitTurn, throwIfAborted } from "./commit.ts";
import { DeltaBuffer } from "./delta-buffer.ts";
import { DetachedError } from "./detached-error.ts";
import { fallBack, servingModel } from "./fallback.ts";
import { fitContext } from "./fit-context.ts";
import { personaOf } from "./role-of.ts";
import { refusesImages, shownMessages } from "./shown-images.ts";
import { shownTools } from "./shown-tools.ts";
import { StopText } from "./stop-text.ts";
import { structuredInstruction } from "./structured-answer.ts";
import { turnModel } from "./turn-model.ts";
import type { ChosenModel, TurnDeps, TurnState } from "./turn-state.ts";

/** What a model call came to. Its events wait in the carry. */
export type ModelStepResult =
  | {
      readonly kind: "replied";
      readonly text: string;
      readonly calls: readonly ModelToolCall[];
      readonly finish: string;
      /** The stream was ended at the most characters an answer may have. */
      readonly cut: boolean;
    }
  /** The conversation is longer than the model takes, for the first time in this turn. */
  | { readonly kind: "overflowed" }
  | { readonly kind: "failed"; readonly failure: TaskFailure };

/** Who goes first in a lane: origins with somebody waiting at the other end, and last those whose result is read later. */
const PRIORITY: Readonly<Record<TaskOrigin, ModelPriority>> = {
  a2a: "interactive",
  chat: "interactive",
  v1: "interactive",
  embed: "interactive",
  schedule: "default",
  watch: "default",
  inbox: "default",
  goal: "default",
  subagent: "default",
  background: "bulk",
};

/** Somebody waits for a peer's turn too, but behind the operator (docs/decisions/shares-per-class.md). */
function priorityOf({ origin, class: callerClass }: Readonly<TaskView>): ModelPriority {
  const priority = PRIORITY[origin];
  return priority === "interactive" && partyOf(callerClass) === "peers" ? "default" : priority;
}

/** A name for a model call, unique in its task. */
export function modelCallId(step: number): string {
  return `model-${step}`;
}

function asUsage(usage: ModelUsage): TaskUsage {
  return { input: usage.input, output: usage.output, cacheRead: usage.cacheRead, cacheWrite: usage.cacheWrite };
}

/** What is told of a failed call. A provider may echo whatever it was sent, so its words are redacted (ruling S5). */
function asFailure(
  error: unknown,
  { redactor }: TurnDeps,
  asked?: { state: TurnState; chosen: ChosenModel },
): TaskFailure {
  if (error instanceof ModelError) {
    const { code, status, retryAfterMs } = error;
    const hint = asked?.state.record.view.class === OPERATOR_CLASS ? asked.chosen.explain?.(error) : undefined;
    const message = redactor.text(hint === undefined ? error.message : `${error.message}. ${hint}`);
    return {
      code: `model_${code}`,
      message,
      ...(status === undefined ? {} : { upstreamStatus: status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
    };
  }
  if (error instanceof ModelConfigError) return { code: `model_${error.code}`, message: error.message };
  return { code: "model_failed", message: "The model call failed." };
}

/** Longest tool name a model's call keeps; a tool's own has at most 64 characters. */
const MAX_NAME = 128;

/**
 * A call under an id of ours: providers reuse theirs between conversations, and ours becomes the idempotency key. What
 * a store cannot hold is replaced, so that the model can be told that there is no such tool, or what was wrong.
 */
function ownCall({ name, args }: ModelToolCall, newId: () => string): ModelToolCall {
  const id = `call_${newId().replaceAll("-", "")}`;
  return { id, name: storableText(name.slice(0, MAX_NAME)), args: storableText(args) };
}

/** What one stream gave. */
interface Reply {
  text: string;
  calls: ModelToolCall[];
  usage: TaskUsage | undefined;
  finish: string;
  /** More text came than an answer may have; the stream was ended there. */
  cut: boolean;
  /** Whether anything of an answer came. */
  said: boolean;
  /** Where the caller wants the text to end; absent: where the model ends it. */
  readonly stopText?: StopText;
}

function emptyReply(): Reply {
  return { text: "", calls: [], usage: undefined, finish: "stop", cut: false, said: false };
}

/** The beginning of a text, no surrogate pair split. */
function beginning(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}

async function readStream(
  state: TurnState,
  deps: TurnDeps,
  chosen: ChosenModel,
  request: ModelRequest,
  reply: Reply,
  deltas: Pick<DeltaBuffer, "text" | "reasoning">,
): Promise<void> {
  const call = state.modelCall?.call ?? modelCallId(state.step);
  const stream = chosen.model.stream(request, {
    signal: state.signal,
    priority: priorityOf(state.record.view),
    traceparent: deps.traceparent?.(state.record.view, call),
    onRetry: ({ error, waitMs }) => {
      state.aliveAt = deps.clock.now();
      state.carry.events.push({ kind: "model.retried", call, code: asFailure(error, deps).code, waitMs });
    },
  });
  // A structured answer is shown whole or not at all (ruling A17).
  const streamed = state.options.skill === undefined;
  const { maxAnswerChars } = deps.limits;
  /** False: it is more than an answer may have, and was cut there. */
  const say = (text: string): boolean => {
    const room = maxAnswerChars - reply.text.length;
    const fits = text.length <= room;
    // Half a structured answer is none.
    if (!fits && !streamed)
      throw new ModelError("bad_response", `the model's answer is longer than ${maxAnswerChars} characters`);
    const said = fits ? text : beginning(text, room);
    reply.text += said;
    if (streamed && said !== "") deltas.text(said);
    if (fits) return true;
    reply.finish = "length";
    reply.cut = true;
    return false;
  };
  for await (const event of stream) {
    state.aliveAt = deps.clock.now();
    if (event.kind !== "usage" && event.kind !== "finish") reply.said = true;
    switch (event.kind) {
      case "text":
        if (!say(reply.stopText?.add(event.text) ?? event.text)) return;
        break;
      case "reasoning":
        deltas.reasoning(event.text);
        break;
      case "tool-call":
        reply.calls.push(ownCall(event.call, deps.newId));
        break;
      case "usage":
        reply.usage = asUsage(event.usage);
        break;
      case "finish":
        reply.finish = event.reason;
        break;
    }
  }
  if (reply.stopText === undefined) return;
  say(reply.stopText.end());
  // What the provider cut off came after the answer's end.
  if (reply.stopText.cut && reply.finish === "length") reply.finish = "stop";
}

/** Commits the intent of the next model call, with whatever waits. */
export async function commitModelIntent(state: TurnState, deps: TurnDeps, model: string): Promise<void> {
  const step = state.step + 1;
  const call = modelCallId(step);
  await commitTurn(state, deps, { label: "turn.model-intent", events: [{ kind: "model.started", call, step, model }] });
  state.step = step;
  state.modelCall = { call, step, model, startedAt: deps.clock.now() };
}

/** Usage and its estimated cost, as far as they are known. */
function spent(usage: TaskUsage | undefined, { price }: ChosenModel): { usage?: TaskUsage; costUsd?: number } {
  if (usage === undefined) return {};
  const costUsd = estimateCost(usage, price);
  return costUsd === undefined ? { usage } : { usage, costUsd };
}

function recordFailure(
  state: TurnState,
  deps: TurnDeps,
  chosen: ChosenModel,
  { error, reply }: { readonly error: unknown; readonly reply: Reply },
): TaskFailure {
  const failure = asFailure(error, deps, { state, chosen });
  if (!(error instanceof ModelError))
    deps.log.warn(`task ${state.record.view.id}: model call failed: ${String(error)}`);
  const open = state.modelCall;
  if (open !== undefined) {
    const ms = deps.clock.now() - open.startedAt;
    state.carry.events.push({
      kind: "model.failed",
      call: open.call,
      step: open.step,
      model: open.model,
      failure,
      ms,
      ...spent(reply.usage, chosen),
    });
  }
  state.modelCall = undefined;
  state.usage = addUsage(state.usage, reply.usage);
  return failure;
}

/** What stands before the words of the program that calls: they come after the persona and do not replace it. */
const INSTRUCTIONS_HEAD = "The program that calls you adds, for this conversation:";

/** The system text of a turn's calls: the persona, then what this task adds. */
export function systemText(
  { options: { skill, instructions } }: TurnState,
  system: string | undefined,
): string | undefined {
  if (skill === undefined && instructions === undefined) return system;
  const texts = [
    system,
    instructions === undefined ? undefined : `${INSTRUCTIONS_HEAD}\n${instructions}`,
    skill === undefined ? undefined : structuredInstruction(skill),
  ];
  return texts.filter((text) => text !== undefined).join("\n\n");
}

/** Sampling of a turn's calls: the model's, and what the caller asks for this turn (ruling V1). */
function turnSettings({ options: { sampling } }: TurnState, { settings }: ChosenModel): ModelSettings {
  if (sampling === undefined) return settings;
  const { maxTokens = settings.maxTokens } = sampling;
  if (maxTokens === undefined) return { ...settings, ...sampling };
  return { ...settings, ...sampling, maxTokens: Math.min(maxTokens, settings.maxTokens ?? maxTokens) };
}

function observe(state: TurnState, deps: TurnDeps, request: ModelRequest, { usage }: Reply): void {
  const { onModelCall } = deps;
  const open = state.modelCall;
  if (onModelCall === undefined || open === undefined) return;
  onModelCall({
    view: state.record.view,
    incognito: state.options.incognito === true,
    step: open.step,
    at: open.startedAt,
    model: open.model,
    persona: personaOf(state, deps),
    system: request.system,
    messages: request.messages,
    shown: request.messages.length,
    tools: request.tools,
    usage,
  });
}

function isOverflow(error: unknown): boolean {
  return error instanceof ModelError && error.code === "context_overflow";
}

/** What was streamed of the answer is not the answer. */
function overflowed(state: TurnState): ModelStepResult {
  state.compacted = true;
  if (state.deltasShown) state.carry.events.push({ kind: "text.reset" });
  state.deltasShown = false;
  return { kind: "overflowed" };
}

/** Makes one model call. @throws DetachedError */
export async function modelStep(state: TurnState, deps: TurnDeps): Promise<ModelStepResult> {
  let chosen: ChosenModel;
  try {
    chosen = turnModel(state, deps);
  } catch (error) {
    return { kind: "failed", failure: asFailure(error, deps) };
  }
  const persona = personaOf(state, deps);
  const system = systemText(state, persona);
  let first: TaskFailure | undefined;
  for (let tried = 1; ; ) {
    throwIfAborted(state);
    const serving = servingModel(state, chosen);
    fitContext(state, deps, serving, system);
    if (state.modelCall === undefined) await commitModelIntent(state, deps, serving.name);
    const { stop } = state.options;
    const reply: Reply = { ...emptyReply(), ...(stop === undefined ? {} : { stopText: new StopText(stop) }) };
    const deltas = new DeltaBuffer(state, deps);
    const request: ModelRequest = {
      model: serving.name,
      ...(system === undefined ? {} : { system }),
      ...(persona === system ? {} : { stableSystemChars: persona?.length ?? 0 }),
      messages: shownMessages(state, deps, serving),
      tools: shownTools(state, deps).list,
      settings: turnSettings(state, serving),
      ...(state.forms === undefined ? {} : { written: state.forms.written }),
    };
    try {
      await readStream(state, deps, serving, request, reply, deltas);
    } catch (error) {
      state.carry.events.push(...deltas.close());
      if (state.signal.aborted) throw new DetachedError("aborted during a model call");
      observe(state, deps, request, reply);
      const failure = recordFailure(state, deps, serving, { error, reply });
      if (isOverflow(error) && !state.compacted) return overflowed(state);
      if (!reply.said && refusesImages(state, serving, error)) continue;
      first ??= failure;
      if (!fallBack(state, deps, { chosen, error, code: failure.code, said: reply.said, tried })) {
        return { kind: "failed", failure: first };
      }
      tried += 1;
      continue;
    }
    observe(state, deps, request, reply);
    recordReply(state, deps, serving, { reply, deltas });
    return { kind: "replied", text: reply.text, calls: reply.calls, finish: reply.finish, cut: reply.cut };
  }
}

/**
 * Makes a call whose answer is not the turn's own, under the intent that is open; the next call gets one of its own.
 * Its usage counts. Undefined: it failed, which is journaled. @throws DetachedError
 */
export async function askAside(
  state: TurnState,
  deps: TurnDeps,
  chosen: ChosenModel,
  request: ModelRequest,
): Promise<string | undefined> {
  const reply = emptyReply();
  // Nobody follows what is not the turn's answer.
  const deltas = { text() {}, reasoning() {}, close: () => [] };
  try {
    await readStream(state, deps, chosen, request, reply, deltas);
  } catch (error) {
    if (state.signal.aborted) throw new DetachedError("aborted during a model call");
    recordFailure(state, deps, chosen, { error, reply });
    return undefined;
  }
  observe(state, deps, request, reply);
  recordReply(state, deps, chosen, { reply: { ...reply, calls: [] }, deltas });
  return reply.text;
}

function recordReply(
  state: TurnState,
  deps: TurnDeps,
  chosen: ChosenModel,
  { reply, deltas }: { readonly reply: Reply; readonly deltas: Pick<DeltaBuffer, "close"> },
): void {
  const open = state.modelCall;
  if (open === undefined) return;
  state.modelCall = undefined;
  state.usage = addUsage(state.usage, reply.usage);
  const toolCalls = reply.calls.map(({ id, name }) => ({ id, name }));
  state.carry.events.push(...deltas.close(), {
    kind: "model.finished",
    call: open.call,
    step: open.step,
    model: open.model,
    finish: reply.finish,
    ms: deps.clock.now() - open.startedAt,
    ...spent(reply.usage, chosen),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  });
}
