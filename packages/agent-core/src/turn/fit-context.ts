import { fitMessages, newFit } from "../context/index.ts";
import { shownTools } from "./shown-tools.ts";
import type { ChosenModel, TurnDeps, TurnState } from "./turn-state.ts";

/** Before a model call: shortens older results of what the model is shown, where it is time to (document 3 `pruning`). */
export function fitContext(state: TurnState, deps: TurnDeps, chosen: ChosenModel, system: string | undefined): void {
  // What a turn begins with was shortened by those before it, all but the message it answers.
  const since = state.fit === undefined ? state.messages.length - 1 : 0;
  state.fit ??= newFit(state.forms);
  const limits = {
    settings: deps.context().pruning,
    windowTokens: chosen.windowTokens,
    besideChars: (system?.length ?? 0) + shownTools(state, deps).chars,
  };
  const { messages, results, chars } = fitMessages(state.fit, state.messages, limits, since);
  state.messages = messages;
  if (results > 0) state.carry.events.push({ kind: "context.pruned", results, chars });
}
