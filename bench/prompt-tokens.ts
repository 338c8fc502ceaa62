/** The tokens of every model call before the conversation: they are paid for with each call. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/**
 * The most tokens of system text and tools, as the service is by default: 2,400, and 2,200 for files, commands and scripts, and
 * 300 of the 1,500 that memory and skills may have, and 360 of the 1,300 of autonomy: what a turn of a goal needs is shown, the rest is found.
 */
export const PROMPT_BUDGET = 5_260;

/** Tokens by OpenAI's `o200k_base`; other vocabularies differ by some percent. */
export interface PromptTokens {
  readonly system: number;
  /** All tools together, as their JSON. */
  readonly tools: number;
  /** Of each alone, the largest first. */
  readonly byTool: readonly (readonly [name: string, tokens: number])[];
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

function textOf(content: unknown): string {
  const parts = Array.isArray(content)
    ? (content as readonly { readonly text?: string }[])
    : [{ text: String(content) }];
  return parts.map(({ text = "" }) => text).join("");
}

/** Counts a request of the chat completions API. */
export function promptTokens(body: unknown): PromptTokens {
  const { messages, tools = [] } = body as ChatRequest;
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => textOf(content));
  const byTool = tools.map((tool) => [tool.function.name, countTokens(JSON.stringify(tool))] as const);
  return {
    system: countTokens(system.join("\n")),
    tools: countTokens(JSON.stringify(tools)),
    byTool: byTool.toSorted(([, a], [, b]) => b - a),
  };
}
