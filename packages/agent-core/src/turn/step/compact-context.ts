/**
 * Replaces a conversation's older part by a summary before a model call (B57 `compaction`). Everything shown is stored
 * first; what is stored never changes (EN7); a compaction that fails leaves the conversation as it was.
 */
import {
  CHARS_PER_TOKEN,
  type CompactionPlan,
  type CompactionSettings,
  compactMessages,
  type History,
  isCompactionDue,
  KEEP_AFTER_OVERFLOW,
  planCompaction,
  planWindow,
  readHistory,
  readSummary,
  SUMMARY_INSTRUCTION,
  SUMMARY_TOKENS,
  shortenResults,
  summaryRequest,
  summaryText,
} from "../../context/index.ts";
import type { ModelRequest } from "../../model/index.ts";
import { throwIfAborted } from "../commit.ts";
import { DetachedError } from "../detached-error.ts";
import { complete, fail } from "../finish.ts";
import { personaOf } from "../role-of.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import { turnHistory } from "../turn-history.ts";
import { turnModel } from "../turn-model.ts";
import type { TurnState } from "../turn-state.ts";
import { fitContext } from "./fit-context.ts";
import { commitModelIntent } from "./model-intent.ts";
import { callAside, systemText } from "./model-step.ts";
import { replaceMessages } from "./replace-messages.ts";
import { shownTools } from "./shown-tools.ts";
import { trimWindow } from "./trim-window.ts";

/** Share of the summarising model's window that the text to summarise may take. */
const REQUEST_SHARE = 0.6;
/** Characters of it at most, whatever the window. */
const MAX_REQUEST_CHARS = 400_000;

function chosenModel(state: TurnState, deps: TurnDeps): ChosenModel | undefined {
  try {
    return turnModel(state, deps);
  } catch {
    // The model step fails with the reason.
    return undefined;
  }
}

function isDue(state: TurnState, deps: TurnDeps, chosen: ChosenModel): boolean {
  const system = systemText(state.options, personaOf(state, deps));
  fitContext(state, deps, chosen, system);
  return isCompactionDue(deps.context().compaction, {
    messages: state.conversation.messages,
    chars: state.conversation.fit?.chars ?? 0,
    besideChars: (system?.length ?? 0) + shownTools(state, deps).chars,
    windowTokens: chosen.windowTokens,
  });
}

/**
 * Compacts where that is due; after a failure it is left to the next turn. A conversation that exceeds the bounds of what
 * is shown loses its oldest quarter, with a summary where compaction is on. @throws DetachedError
 */
export async function compactContext(state: TurnState, deps: TurnDeps): Promise<void> {
  await compactWhereDue(state, deps);
  if (state.conversation.exceedsBounds) await trimWindow(state, deps);
}

async function compactWhereDue(state: TurnState, deps: TurnDeps): Promise<void> {
  const { enabled, model, keepMessages } = deps.context().compaction;
  if (!enabled || state.conversation.compactionFailed) return;
  const chosen = chosenModel(state, deps);
  if (chosen === undefined) return;
  if (isDue(state, deps, chosen)) await summarise(state, deps, chosen, { model, divide: keepingNewest(keepMessages) });
  else if (state.conversation.exceedsBounds) await summarise(state, deps, chosen, { model, divide: planWindow });
}

/** Which messages a summary replaces; the turn `own` continues. */
type Divide = (history: History, own: string) => CompactionPlan;

function keepingNewest(messages: number): Divide {
  return ({ items }, own) => {
    const others = items.filter(({ task }) => task !== own);
    const mine = items.filter(({ task }) => task === own);
    return planCompaction([...others, ...mine], messages);
  };
}

/**
 * After a context overflow (R5): a summary of the older part, whether or not compaction is on, and where that
 * fails only the newest messages. @throws DetachedError
 */
export async function recoverOverflow(state: TurnState, deps: TurnDeps): Promise<void> {
  const settings = deps.context().compaction;
  const chosen = chosenModel(state, deps);
  const { conversation } = state;
  if (!conversation.compactionFailed && chosen !== undefined) {
    const keepMessages = Math.min(settings.keepMessages, KEEP_AFTER_OVERFLOW);
    // The window is smaller than it was taken for: half of what was too long is the most to ask about.
    const maxChars = Math.floor((conversation.fit?.chars ?? MAX_REQUEST_CHARS) / 2);
    const divide = keepingNewest(keepMessages);
    if (await summarise(state, deps, chosen, { model: settings.model, divide, maxChars })) {
      conversation.messages = shortenResults(conversation.messages);
      return;
    }
  }
  conversation.messages = compactMessages(conversation.messages);
  conversation.fit = undefined;
  const text = "The context was too long for the model; older messages are left out of what it is shown.";
  state.carry.events.push({ kind: "guard.noted", guard: "compaction", text });
}

/** Messages a requested compaction keeps at most: fewer than an automatic one. */
const KEEP_WHEN_ASKED = 6;

/** A turn that only compacts, whatever the settings; its answer reports whether it did. @throws DetachedError */
export async function compactTurn(state: TurnState, deps: TurnDeps): Promise<void> {
  const settings = deps.context().compaction;
  const keepMessages = Math.min(settings.keepMessages, KEEP_WHEN_ASKED);
  const { class: callerClass, context } = state.record.view;
  const { items } = await readHistory(deps.db, deps.journal.statements, { class: callerClass, context });
  if (planCompaction(items, keepMessages).summarised.length === 0) {
    return complete(state, deps, [{ kind: "text", text: "There is nothing to compact: the conversation is short." }]);
  }
  let done = false;
  try {
    const divide = keepingNewest(keepMessages);
    done = await summarise(state, deps, turnModel(state, deps), { model: settings.model, divide });
  } catch (error) {
    if (error instanceof DetachedError || !(error instanceof Error)) throw error;
    deps.log.warn(`task ${state.record.view.id}: ${error.message}`);
  }
  if (done)
    return complete(state, deps, [{ kind: "text", text: "The older part of the conversation is a summary now." }]);
  const message = "The conversation could not be compacted and stays as it is; the log has the reason.";
  return fail(state, deps, { code: "not_compacted", message });
}

/** False: nothing was compacted. */
async function summarise(
  state: TurnState,
  deps: TurnDeps,
  chosen: ChosenModel,
  settings: Pick<CompactionSettings, "model"> & { readonly divide: Divide; readonly maxChars?: number },
): Promise<boolean> {
  throwIfAborted(state);
  let writer: ChosenModel;
  try {
    writer = settings.model === "" ? chosen : deps.chooseModel(settings.model);
    // The archive comes first: with the intent goes everything the model was shown and the store has not.
    if (state.step.call === undefined) await commitModelIntent(state, deps, writer.name);
  } catch (error) {
    if (state.step.call !== undefined || settings.model === "") throw error;
    return giveUp(state, deps, String(error));
  }
  const history = await turnHistory(state, deps);
  const plan = settings.divide(history, state.record.view.id);
  if (plan.summarised.length === 0) {
    state.conversation.compactionFailed = true;
    return false;
  }
  writer.use?.begin();
  const reply = await callAside(state, deps, writer, summaryCall(writer, plan, history, settings.maxChars)).finally(
    () => writer.use?.end(),
  );
  if (reply === undefined) return giveUp(state, deps, "the model call failed");
  const summary = readSummary(deps.redactor.text(reply));
  if (summary === undefined) return giveUp(state, deps, "the model wrote no summary");
  const { summarised, kept } = plan;
  const left = (history.outOfSight ?? 0) + summarised.length;
  replaceMessages(state, deps, { plan, history, summary: summaryText(summary, left) });
  const counts = { summarised: summarised.length, kept: kept.length, chars: summary.length };
  state.carry.events.push({ kind: "context.compacted", ...counts });
  return true;
}

function giveUp(state: TurnState, deps: TurnDeps, why: string): false {
  state.conversation.compactionFailed = true;
  deps.log.warn(`task ${state.record.view.id}: the conversation could not be compacted and stays as it is: ${why}`);
  return false;
}

function summaryCall(
  writer: ChosenModel,
  plan: CompactionPlan,
  history: History,
  maxChars = MAX_REQUEST_CHARS,
): ModelRequest {
  const room = Math.min(maxChars, MAX_REQUEST_CHARS, writer.windowTokens * CHARS_PER_TOKEN * REQUEST_SHARE);
  const text = summaryRequest(plan, history, Math.floor(room));
  return {
    model: writer.name,
    system: SUMMARY_INSTRUCTION,
    messages: [{ role: "user", content: [{ kind: "text", text }] }],
    tools: [],
    settings: {
      ...writer.settings,
      maxTokens: Math.min(writer.settings.maxTokens ?? SUMMARY_TOKENS, SUMMARY_TOKENS),
    },
  };
}
