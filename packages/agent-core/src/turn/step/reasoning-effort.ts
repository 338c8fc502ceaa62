/** How much the model is asked to reason, where it may not take what was asked for. */
import { ModelError, type ModelSettings, type ReasoningEffort } from "../../model/index.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import type { OpenModelCall } from "./step-state.ts";

/** The model's settings with the caller's for this turn (V1), and with an effort only where it may be sent. */
export function turnSettings(
  state: Pick<TurnState, "options" | "routing" | "carry" | "record">,
  deps: Pick<TurnDeps, "log">,
  serving: ChosenModel,
): ModelSettings {
  const settings = withSampling(state.options.sampling, serving.settings);
  const { reasoningEffort: asked, ...others } = settings;
  if (asked === undefined || maySend(state, serving, asked)) return settings;
  // The default of all models is for those that take it; only what this turn asked for is worth a note.
  if (state.options.sampling?.reasoningEffort !== undefined) note(state, deps, serving.name, asked);
  return others;
}

function withSampling(sampling: TurnState["options"]["sampling"], settings: ModelSettings): ModelSettings {
  if (sampling === undefined) return settings;
  const { maxTokens = settings.maxTokens } = sampling;
  if (maxTokens === undefined) return { ...settings, ...sampling };
  return { ...settings, ...sampling, maxTokens: Math.min(maxTokens, settings.maxTokens ?? maxTokens) };
}

function maySend(
  { routing }: Pick<TurnState, "routing">,
  { name, efforts }: ChosenModel,
  asked: ReasoningEffort,
): boolean {
  return !routing.refusedEffort.includes(name) && efforts?.taken()?.includes(asked) !== false;
}

function note(
  { routing, carry, record }: Pick<TurnState, "routing" | "carry" | "record">,
  { log }: Pick<TurnDeps, "log">,
  name: string,
  asked: ReasoningEffort,
): void {
  if (routing.effortNoted) return;
  routing.effortNoted = true;
  const text = `${name} does not take the reasoning effort ${asked}, so it is asked without one.`;
  carry.events.push({ kind: "guard.noted", guard: "reasoning-effort", text });
  log.warn(`task ${record.view.id}: ${text} providers[].models.${name}.reasoning_efforts sets which it takes.`);
}

/** Wordings of providers: "Unsupported parameter: 'reasoning_effort'", "output_config: Extra inputs are not permitted". */
const EFFORT_WORDS = /reasoning|effort|thinking|output_config/i;

/**
 * Whether a call probably failed because the model does not take the effort it was sent with. It is called again without
 * one; where the provider's message names it, from now on.
 */
export function refusesEffort(
  { routing }: Pick<TurnState, "routing">,
  { name, efforts }: ChosenModel,
  { reasoningEffort: sent }: ModelSettings,
  error: unknown,
): boolean {
  if (sent === undefined || !(error instanceof ModelError) || error.status === undefined) return false;
  const isStated = EFFORT_WORDS.test(error.message);
  if (error.code !== "bad_request" || routing.refusedEffort.includes(name)) return false;
  routing.refusedEffort = [...routing.refusedEffort, name];
  if (isStated) efforts?.refused(sent);
  return true;
}

/** The effort that a call was sent with, as its outcome has it. */
export function sentEffort({ effort }: OpenModelCall): Pick<OpenModelCall, "effort"> {
  return effort === undefined ? {} : { effort };
}
