/** How large the parts of a prompt are. */
import type { TaskUsage } from "../event/index.ts";
import type { ModelContent, ModelMessage } from "../model/index.ts";
import type { PromptCall, PromptSection } from "./prompt-report.ts";

/** The parts whose size is reported. */
export interface PromptParts {
  readonly stable: string;
  readonly volatile: string;
  readonly toolsChars: number;
  readonly conversationChars: number;
}

function lengthOf(content: readonly ModelContent[]): number {
  let chars = 0;
  for (const part of content) if (part.kind === "text") chars += part.text.length;
  return chars;
}

/** Characters of the first `shown` messages. */
export function charsOf(messages: readonly ModelMessage[], shown: number): number {
  let chars = 0;
  for (let i = 0; i < shown; i++) {
    const message = messages[i]!;
    if (message.role === "user") {
      chars += lengthOf(message.content);
      continue;
    }
    chars += message.text.length;
    if (message.role === "assistant")
      for (const { name, args } of message.toolCalls ?? []) chars += name.length + args.length;
  }
  return chars;
}

/** The parts that are not empty. */
export function sectionsOf({ stable, volatile, toolsChars, conversationChars }: PromptParts): readonly PromptSection[] {
  const parts: readonly (readonly [string, number, PromptSection["scope"]])[] = [
    ["Persona", stable.length, "stable"],
    ["Tools", toolsChars, "stable"],
    ["Instructions", volatile.length, "session"],
    ["Conversation", conversationChars, "turn"],
  ];
  return parts.flatMap(([label, chars, scope]) =>
    chars === 0 ? [] : [{ label, chars, approx_tokens: Math.ceil(chars / 4), scope }],
  );
}

/** Tokens as clients read them. */
export function usageOf(usage: TaskUsage | undefined): PromptCall["usage"] {
  if (usage === undefined) return null;
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_creation_tokens: cacheWrite,
  };
}
