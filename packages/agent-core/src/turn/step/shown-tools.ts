import { namesFound, SEARCH_TOOLS, type ShownTools, toolsChars } from "../../tool/index.ts";
import { type RoleDeps, toolboxOf } from "../role-of.ts";
import type { TurnState } from "../turn-state.ts";

/**
 * The tools a turn's next model call is shown: those of the toolbox and, of the withheld ones (B58
 * `tools.deferred`), what the conversation in view has found or used. It is read from what the model is shown, so it
 * survives a restart, and a tool whose mention was compacted away has to be found again.
 */
export function shownTools(
  { record, conversation }: Pick<TurnState, "record" | "conversation">,
  deps: RoleDeps,
): ShownTools {
  const { shown, withheld } = toolboxOf(record, deps);
  if (withheld === undefined) return shown;
  const found = new Set<string>();
  const add = (name: string): void => {
    if (withheld.has(name)) found.add(name);
  };
  for (const message of conversation.messages) {
    if (message.role === "assistant") for (const { name } of message.toolCalls ?? []) add(name);
    else if (message.role === "tool" && message.name === SEARCH_TOOLS)
      for (const name of namesFound(message.text)) add(name);
  }
  if (found.size === 0) return shown;
  const key = [...found].join();
  const before = conversation.foundTools;
  if (before?.key === key && before.base === shown) return before.shown;
  // Behind the others: what came first stays the same bytes.
  const list = [...shown.list, ...[...found].map((name) => withheld.get(name)!)];
  const made = { list, chars: toolsChars(list) };
  conversation.foundTools = { key, base: shown, shown: made };
  return made;
}
