/**
 * One model call (EN5): intent committed, stream read, outcome put in the carry for the commit that follows. Retries
 * happen inside the model (its wrapper); a context overflow is returned to the loop, which compacts once (R5).
 */
import { addUsage, type TaskFailure, type TaskUsage } from "../../event/index.ts";
import { estimateCost, ModelError, type ModelRequest, type ModelToolCall } from "../../model/index.ts";
import { throwIfAborted } from "../commit.ts";
import { DetachedError } from "../detached-error.ts";
import { personaOf, type RoleDeps } from "../role-of.ts";
import type { TaskOptions } from "../task-options.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import { turnModel } from "../turn-model.ts";
import type { TurnState } from "../turn-state.ts";
import { DeltaBuffer } from "./delta-buffer.ts";
import { fallBack, servingModel } from "./fallback.ts";
import { fitContext } from "./fit-context.ts";
import { modelFailure } from "./model-failure.ts";
import { commitModelIntent } from "./model-intent.ts";
import { emptyReply, type Reply, readReply } from "./read-reply.ts";
import { refusesEffort, sentEffort, turnSettings } from "./reasoning-effort.ts";
import { refusesImages, shownMessages } from "./shown-images.ts";
import { shownTools } from "./shown-tools.ts";
import { StopText } from "./stop-text.ts";
import { structuredInstruction } from "./structured-answer.ts";

/** The result of a model call. Its events wait in the carry. */
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

/** What recording an outcome needs of a turn. */
type RecordingTurn = Pick<TurnState, "record" | "step" | "account" | "carry">;

/** Usage and its estimated cost, as far as they are known. */
function spent(usage: TaskUsage | undefined, { price }: ChosenModel): { usage?: TaskUsage; costUsd?: number } {
  if (usage === undefined) return {};
  const costUsd = estimateCost(usage, price);
  return costUsd === undefined ? { usage } : { usage, costUsd };
}

function recordFailure(
  { record, step, account, carry }: RecordingTurn,
  deps: Pick<TurnDeps, "clock" | "log" | "redactor">,
  chosen: ChosenModel,
  { error, reply }: { readonly error: unknown; readonly reply: Reply },
): TaskFailure {
  const failure = modelFailure(error, deps, { record, chosen });
  if (!(error instanceof ModelError)) deps.log.warn(`task ${record.view.id}: model call failed: ${String(error)}`);
  const open = step.call;
  if (open !== undefined) {
    const ms = deps.clock.now() - open.startedAt;
    carry.events.push({
      kind: "model.failed",
      call: open.call,
      step: open.step,
      model: open.model,
      ...sentEffort(open),
      failure,
      ms,
      ...spent(reply.usage, chosen),
    });
  }
  step.call = undefined;
  account.usage = addUsage(account.usage, reply.usage);
  return failure;
}

/** Precedes the instructions of the calling program: they come after the persona and do not replace it. */
const INSTRUCTIONS_HEAD = "The program that calls you adds, for this conversation:";

/** The system text of a turn's calls: the persona, then what this task adds. */
export function systemText(
  { skill, instructions }: Pick<TaskOptions, "skill" | "instructions">,
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

function observe(
  { record, conversation, options, step }: Pick<TurnState, "record" | "conversation" | "options" | "step">,
  deps: RoleDeps & Pick<TurnDeps, "onModelCall" | "showsIncognito">,
  request: ModelRequest,
  { usage }: Reply,
): void {
  const { onModelCall } = deps;
  const open = step.call;
  if (onModelCall === undefined || open === undefined) return;
  onModelCall({
    view: record.view,
    incognito:
      options.incognito === true || options.afterIncognito === true || deps.showsIncognito?.(record.view) === true,
    step: open.step,
    at: open.startedAt,
    model: open.model,
    effort: open.effort,
    persona: personaOf({ record, conversation }, deps),
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

/** Withdraws the deltas of the failed call: they are no part of the answer. */
function overflowed({
  conversation,
  step,
  carry,
}: Pick<TurnState, "conversation" | "step" | "carry">): ModelStepResult {
  conversation.overflowed = true;
  if (step.deltasShown) carry.events.push({ kind: "text.reset" });
  step.deltasShown = false;
  return { kind: "overflowed" };
}

/** Makes one model call. @throws DetachedError */
export async function modelStep(state: TurnState, deps: TurnDeps): Promise<ModelStepResult> {
  let chosen: ChosenModel;
  try {
    chosen = turnModel(state, deps);
  } catch (error) {
    return { kind: "failed", failure: modelFailure(error, deps) };
  }
  const persona = personaOf(state, deps);
  const system = systemText(state.options, persona);
  const { conversation } = state;
  let first: TaskFailure | undefined;
  for (let tried = 1; ; ) {
    throwIfAborted(state);
    const serving = servingModel(state.routing, chosen);
    fitContext(state, deps, serving, system);
    if (state.step.call === undefined) await commitModelIntent(state, deps, serving.name);
    const { stop } = state.options;
    const reply: Reply = { ...emptyReply(), ...(stop === undefined ? {} : { stopText: new StopText(stop) }) };
    const deltas = new DeltaBuffer(state, deps);
    const settings = turnSettings(state, deps, serving);
    const { reasoningEffort: effort } = settings;
    if (effort !== undefined && state.step.call !== undefined) state.step.call = { ...state.step.call, effort };
    const request: ModelRequest = {
      model: serving.name,
      ...(system === undefined ? {} : { system }),
      ...(persona === system ? {} : { stableSystemChars: persona?.length ?? 0 }),
      messages: shownMessages(state, deps, serving),
      tools: shownTools(state, deps).list,
      settings,
      ...(conversation.forms === undefined ? {} : { written: conversation.forms.written }),
    };
    try {
      await readReply(state, deps, serving, request, reply, deltas);
    } catch (error) {
      state.carry.events.push(...deltas.close());
      // Of an aborted call too: the prompt shown for a canceled turn must be its own, not that of the turn before.
      observe(state, deps, request, reply);
      if (state.signal.aborted) throw new DetachedError("aborted during a model call");
      const failure = recordFailure(state, deps, serving, { error, reply });
      if (isOverflow(error) && !conversation.overflowed) return overflowed(state);
      // The effort goes first: images are part of what was asked.
      if (!reply.started && refusesEffort(state, serving, settings, error)) continue;
      if (!reply.started && refusesImages(state, serving, error)) continue;
      first ??= failure;
      if (!fallBack(state, deps, { chosen, error, code: failure.code, started: reply.started, tried })) {
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
export async function callAside(
  state: TurnState,
  deps: TurnDeps,
  chosen: ChosenModel,
  request: ModelRequest,
): Promise<string | undefined> {
  const reply = emptyReply();
  // What is not the turn's answer is not streamed to followers.
  const deltas = { text() {}, reasoning() {}, close: () => [] };
  try {
    await readReply(state, deps, chosen, request, reply, deltas);
  } catch (error) {
    observe(state, deps, request, reply);
    if (state.signal.aborted) throw new DetachedError("aborted during a model call");
    recordFailure(state, deps, chosen, { error, reply });
    return undefined;
  }
  observe(state, deps, request, reply);
  recordReply(state, deps, chosen, { reply: { ...reply, calls: [] }, deltas });
  return reply.text;
}

function recordReply(
  { step, account, carry }: RecordingTurn,
  { clock }: Pick<TurnDeps, "clock">,
  chosen: ChosenModel,
  { reply, deltas }: { readonly reply: Reply; readonly deltas: Pick<DeltaBuffer, "close"> },
): void {
  const open = step.call;
  if (open === undefined) return;
  step.call = undefined;
  account.usage = addUsage(account.usage, reply.usage);
  const toolCalls = reply.calls.map(({ id, name }) => ({ id, name }));
  carry.events.push(...deltas.close(), {
    kind: "model.finished",
    call: open.call,
    step: open.step,
    model: open.model,
    ...sentEffort(open),
    finish: reply.finish,
    ms: clock.now() - open.startedAt,
    ...spent(reply.usage, chosen),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  });
}
