import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { ModelTool } from "../model/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { type KnownWords, ToolIndex } from "./tool-index.ts";
import { SEARCH_TOOLS, type Toolbox } from "./toolbox.ts";

/** Shown from the start when `tools.deferred.keep` names nothing: what nearly every turn may need. */
export const ALWAYS_SHOWN: readonly string[] = Object.freeze([
  ...["current_time", "calculator", "ask_human", "request_user_input", "web_search", "fetch_url"],
  ...["load_skill", "memory_recall", "task", "wait"],
]);

/** Characters of a description in a result; the schema shows it whole. */
const DESCRIPTION_CHARS = 300;
const MAX_FOUND = 50;

/**
 * `search_tools(query, limit)` (B89): finds withheld tools by the words of their names and descriptions,
 * best first; a blank query lists them all. The model is offered what it names from its next call on, as long as the result
 * is in its context. A search in a peer's task finds what that task has.
 */
export function searchTools(toolbox: Pick<Toolbox, "for">): AnyTool {
  // The list is the same object while nothing changes.
  const indexes = new WeakMap<object, ToolIndex>();
  const words: KnownWords = new WeakMap();
  const indexOf = (withheld: ReadonlyMap<string, ModelTool>): ToolIndex => {
    const known = indexes.get(withheld);
    if (known !== undefined) return known;
    const made = new ToolIndex(withheld.values(), words);
    indexes.set(withheld, made);
    return made;
  };
  return defineTool({
    name: SEARCH_TOOLS,
    description:
      "Find more tools by what they do. You are shown only some of the tools you have; those that are found can be called from then on.",
    input: v.object({
      query: v.optional(
        v.pipe(v.string(), v.maxLength(500), v.description("Words of names or descriptions; blank lists all.")),
        "",
      ),
      limit: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.transform((limit) => Math.min(Math.max(limit, 1), MAX_FOUND)),
          v.description(`Tools at most, 1 to ${MAX_FOUND}.`),
        ),
        10,
      ),
    }),
    effect: "pure",
    content: "own",
    present: {
      asks: "Look for tools[: {query}]?",
      doing: "Looking for tools[: {query}]",
      done: "Looked for tools[: {query}]",
    },
    run({ query, limit }, { caller }) {
      const { withheld: hidden } = toolbox.for({ subagent: false, peer: caller.class !== OPERATOR_CLASS });
      const found = hidden === undefined ? [] : indexOf(hidden).find(query);
      const tools = found.slice(0, limit).map(({ name, description }) => ({
        name,
        description: description.slice(0, DESCRIPTION_CHARS),
      }));
      return { tools, found: found.length };
    },
  });
}

/** The names in a result of `search_tools`, also in one that was shortened since. */
export function namesFound(result: string): readonly string[] {
  return [...result.matchAll(/"name":"([a-zA-Z0-9_-]{1,64})"/g)].map(([, name]) => name as string);
}
