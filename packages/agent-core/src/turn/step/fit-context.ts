import { fitMessages, newFit } from "../../context/index.ts";
import type { RoleDeps } from "../role-of.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import { shownTools } from "./shown-tools.ts";

/** Before a model call: shortens older results of what the model is shown, where that is due (B56 `pruning`). */
export function fitContext(
  { record, conversation, carry }: Pick<TurnState, "record" | "conversation" | "carry">,
  deps: RoleDeps & Pick<TurnDeps, "context">,
  { windowTokens }: ChosenModel,
  system: string | undefined,
): void {
  // Former turns shortened what this one begins with, all but the message it answers.
  const since = conversation.fit === undefined ? conversation.messages.length - 1 : 0;
  conversation.fit ??= newFit(conversation.forms);
  const limits = {
    settings: deps.context().pruning,
    windowTokens,
    besideChars: (system?.length ?? 0) + shownTools({ record, conversation }, deps).chars,
  };
  const { messages, results, chars } = fitMessages(conversation.fit, conversation.messages, limits, since);
  conversation.messages = messages;
  if (results > 0) carry.events.push({ kind: "context.pruned", results, chars });
}
