import { addRecalled, messageBody } from "../../context/index.ts";
import type { RecalledMemory } from "../../event/index.ts";
import type { ModelMessage } from "../../model/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import { throwIfAborted } from "../commit.ts";
import { messageRow } from "../finish.ts";
import { roleOf } from "../role-of.ts";
import { taint } from "../taint.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { turnModel } from "../turn-model.ts";
import type { TurnState } from "../turn-state.ts";

/** Memories in sight that a record names. */
const MOST_IN_SIGHT = 500;
/** Nothing new. */
const NOTHING: RecalledMemory["record"] = { mode: "none", items: [], leftOut: [], chars: 0, ms: 0 };

/**
 * Before the first model call of a turn, and the first after a compaction: shows what the agent remembers for it and what is
 * open (G26), as a row of the conversation that the next commit stores (K17). Peers, roles, turns that are not to answer and incognito ones
 * recall nothing (K3, K4). @throws DetachedError
 */
export async function recallContext(state: TurnState, deps: TurnDeps): Promise<void> {
  const { conversation, record, options, carry } = state;
  if (conversation.hasRecalled || deps.recall === undefined) return;
  conversation.hasRecalled = true;
  const { id, class: callerClass, context } = record.view;
  const isOwn = callerClass === OPERATOR_CLASS && roleOf(record, deps) === undefined && options.purpose === undefined;
  if (!isOwn || options.incognito === true) return;
  const windowTokens = windowOf(state, deps);
  if (windowTokens === undefined) return;
  const asked = deps.recall({
    ...{ view: { id, class: callerClass, context }, text: newestText(conversation.messages) },
    ...{ inSight: conversation.inSight, windowTokens, brought: options.brought === true },
  });
  const recalled = asked instanceof Promise ? await asked : asked;
  throwIfAborted(state);
  const inSight = memoriesIn(conversation.inSight);
  const step = state.step.call?.step ?? state.step.number + 1;
  const outcome = recalled?.record ?? (inSight.length > 0 ? NOTHING : undefined);
  if (outcome !== undefined)
    carry.events.push({ kind: "context.recalled", step, ...outcome, ...(inSight.length > 0 && { inSight }) });
  if (recalled === undefined) return;
  const { text, refs, outside, from } = recalled;
  if (text === "") return;
  if (outside) taint(state, deps, from);
  show(conversation, text);
  conversation.inSight = new Set([...conversation.inSight, ...refs]);
  carry.statements.push(messageRow(record, deps, "recalled", messageBody({ kind: "recalled", text, refs })));
}

/** The newest of what earlier parts show of memories. Lines of conversations are no memories. */
function memoriesIn(inSight: ReadonlySet<string>): readonly string[] {
  return [...inSight].filter((ref) => /^\d+:/.test(ref)).slice(-MOST_IN_SIGHT);
}

/** Undefined: there is no model, with which the model step fails. */
function windowOf(state: TurnState, deps: TurnDeps): number | undefined {
  try {
    return turnModel(state, deps).windowTokens;
  } catch {
    return undefined;
  }
}

function newestText(messages: readonly ModelMessage[]): string {
  const newest = messages.findLast((message) => message.role === "user");
  const texts = newest?.content.flatMap((part) => (part.kind === "text" && part.aside !== true ? [part.text] : []));
  return texts?.join("\n") ?? "";
}

/** A message that was measured before is measured with what it gained. */
function show({ messages, fit }: TurnState["conversation"], text: string): void {
  const shown = messages.length;
  addRecalled(messages, text);
  if (fit !== undefined && fit.measured === shown && messages.length === shown) fit.chars += text.length;
}
