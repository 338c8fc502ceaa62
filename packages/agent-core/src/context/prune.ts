/**
 * Shortens older tool results while a conversation grows (B56 `pruning`). What is shown is a function of the
 * messages alone, decided message by message, so that a later call, a later turn and a restart give the same bytes: a
 * provider's cache of the prefix stays good.
 *
 * Invariants
 *  PN1  A message is looked at once: measuring costs nothing for those measured before.
 *  PN2  The newest messages, and results no model call has read yet, stay as they are.
 *  PN3  Results are shortened in steps: when the size passes the threshold, and beyond it only when a tenth of the
 *       threshold has gathered. Between two steps the messages only grow at their end.
 *  PN4  Nothing is shortened twice, and calls and results stay where they are.
 */
import type { ModelMessage } from "../model/index.ts";
import type { PruningSettings } from "./context-settings.ts";
import { CHARS_PER_TOKEN } from "./context-settings.ts";
import { MessageForms } from "./message-forms.ts";
import { messageChars } from "./message-size.ts";

/** Share of the threshold that must have gathered before a conversation beyond it is shortened again. */
const STEP_SHARE = 0.1;

/** How far a conversation has been measured and shortened. One value per turn, owned by its loop. */
export interface Fit {
  /** Messages measured so far. */
  measured: number;
  /** Their characters as they are shown now. */
  chars: number;
  /** The last assistant message among them; results after it have not been read. */
  lastAssistant: number;
  /** Messages before this index have been considered for shortening. */
  considered: number;
  /** Messages from here on have not been shortened; those before it have, where they were long enough. */
  kept: number;
  /** Characters that shortening those between `kept` and `considered` would save. */
  gathered: number;
  /** What was shortened before, by former calls and turns too. */
  readonly forms: MessageForms;
  /** The last step did not bring the conversation below the threshold. */
  exceedsThreshold: boolean;
}

/** What there is to show now. */
export interface Fitted {
  /** The list that was given, or another one where results were shortened: who holds the former keeps what it saw. */
  readonly messages: ModelMessage[];
  /** Results that were shortened. */
  readonly results: number;
  /** Characters saved. */
  readonly chars: number;
}

/** Nothing measured yet. */
export function newFit(forms = new MessageForms()): Fit {
  return {
    measured: 0,
    chars: 0,
    lastAssistant: 0,
    considered: 0,
    kept: 0,
    gathered: 0,
    forms,
    exceedsThreshold: false,
  };
}

/** What a conversation is held against. */
export interface PruneLimits {
  readonly settings: PruningSettings;
  readonly windowTokens: number;
  /** Characters that are sent beside the messages: system text and tools. */
  readonly besideChars: number;
}

function saves(forms: MessageForms, message: ModelMessage, minChars: number): number {
  if (message.role !== "tool") return 0;
  return messageChars(message) - messageChars(forms.shortened(message, minChars));
}

/** Shortens what has gathered. */
function step(fit: Fit, given: readonly ModelMessage[], minChars: number): Fitted {
  const messages = [...given];
  let results = 0;
  for (let i = fit.kept; i < fit.considered; i++) {
    const message = messages[i]!;
    if (message.role !== "tool" || message.text.length < minChars) continue;
    messages[i] = fit.forms.shortened(message, minChars);
    results++;
  }
  const chars = fit.gathered;
  fit.chars -= chars;
  fit.kept = fit.considered;
  fit.gathered = 0;
  return { messages, results, chars };
}

/**
 * Measures the messages that came since the last time and shortens older results where it is time to. Counts what was
 * shortened at messages from `since` on; earlier steps are those of former calls or turns, made again.
 */
export function fitMessages(fit: Fit, given: ModelMessage[], limits: PruneLimits, since: number): Fitted {
  const { settings, windowTokens, besideChars } = limits;
  const { enabled, atFraction, keepMessages, minChars } = settings;
  const threshold = windowTokens * CHARS_PER_TOKEN * atFraction;
  let messages = given;
  let results = 0;
  let chars = 0;
  while (fit.measured < messages.length) {
    const message = messages[fit.measured]!;
    if (message.role === "assistant") fit.lastAssistant = fit.measured;
    fit.chars += messageChars(message);
    fit.measured++;
    if (!enabled) continue;
    const edge = Math.min(fit.measured - keepMessages, fit.lastAssistant);
    while (fit.considered < edge) fit.gathered += saves(fit.forms, messages[fit.considered++]!, minChars);
    if (fit.chars + besideChars < threshold) fit.exceedsThreshold = false;
    else if (fit.gathered > 0 && (!fit.exceedsThreshold || fit.gathered >= threshold * STEP_SHARE)) {
      const pruned = step(fit, messages, minChars);
      fit.exceedsThreshold = fit.chars + besideChars >= threshold;
      messages = pruned.messages;
      if (fit.measured <= since) continue;
      results += pruned.results;
      chars += pruned.chars;
    }
  }
  return { messages, results, chars };
}
