import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { ModelTool } from "../model/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
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
      const withheld = [...(hidden?.values() ?? [])];
      const found = ranked(withheld, wordsOf(query));
      const tools = found.slice(0, limit).map(({ name, description }) => ({
        name,
        description: description.slice(0, DESCRIPTION_CHARS),
      }));
      return { tools, found: found.length };
    },
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word of five letters or more is found by its beginning too: "searching" finds "search". */
function stemOf(word: string): string {
  return word.length < 5 ? word : word.slice(0, Math.max(4, word.length - 3));
}

function scoreOf(word: string, text: string): number {
  if (text.includes(word)) return 2;
  return text.includes(stemOf(word)) ? 1 : 0;
}

/** A word in a name counts three times what it counts in a description; with no words everything is found. */
function ranked(tools: readonly ModelTool[], words: readonly string[]): readonly ModelTool[] {
  if (words.length === 0) return tools;
  const scored = tools.map((tool) => {
    const [name, description] = [tool.name.toLowerCase(), tool.description.toLowerCase()];
    const score = words.reduce((sum, word) => sum + 3 * scoreOf(word, name) + scoreOf(word, description), 0);
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** The names in a result of `search_tools`, also in one that was shortened since. */
export function namesFound(result: string): readonly string[] {
  return [...result.matchAll(/"name":"([a-zA-Z0-9_-]{1,64})"/g)].map(([, name]) => name as string);
}
