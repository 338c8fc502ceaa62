/** How large the parts of a prompt are. */
import type { TaskUsage } from "../event/index.ts";
import type { ModelMessage } from "../model/index.ts";
import type { PromptCall, PromptSection } from "./prompt-report.ts";

/** The parts whose size is reported. */
export interface PromptParts {
  readonly stable: string;
  readonly volatile: string;
  readonly toolsChars: number;
  /** Without what was recalled. */
  readonly conversationChars: number;
  /** What was recalled, lines of earlier conversations left out. */
  readonly memoryChars: number;
  /** Lines of earlier conversations. */
  readonly digestChars: number;
}

/** Characters of a conversation, by where they come from. */
export type ConversationChars = Pick<PromptParts, "conversationChars" | "memoryChars" | "digestChars">;

/** Characters of the first `shown` messages. */
export function charsOf(messages: readonly ModelMessage[], shown: number): ConversationChars {
  let [conversationChars, memoryChars, digestChars] = [0, 0, 0];
  for (let i = 0; i < shown; i++) {
    const message = messages[i]!;
    if (message.role === "user") {
      for (const part of message.content) {
        if (part.kind !== "text") continue;
        if (part.aside !== true) {
          conversationChars += part.text.length;
          continue;
        }
        const digest = digestOf(part.text);
        memoryChars += part.text.length - digest;
        digestChars += digest;
      }
      continue;
    }
    conversationChars += message.text.length;
    if (message.role === "assistant")
      for (const { name, args } of message.toolCalls ?? []) conversationChars += name.length + args.length;
  }
  return { conversationChars, memoryChars, digestChars };
}

const DIGEST = "\nEarlier conversations:\n";
const AFTER_DIGEST = ["\nFound for this message:\n", "\n--- "];

/** Characters that lines of earlier conversations take of what was recalled (K16). */
function digestOf(recalled: string): number {
  const from = recalled.indexOf(DIGEST);
  if (from < 0) return 0;
  const ends = AFTER_DIGEST.map((next) => recalled.indexOf(next, from + DIGEST.length)).filter((at) => at >= 0);
  return Math.min(recalled.length, ...ends) - from;
}

/** The parts that are not empty. */
export function sectionsOf({
  stable,
  volatile,
  toolsChars,
  conversationChars,
  memoryChars,
  digestChars,
}: PromptParts): readonly PromptSection[] {
  const parts: readonly (readonly [string, number, PromptSection["scope"]])[] = [
    ["Persona", stable.length, "stable"],
    ["Tools", toolsChars, "stable"],
    ["Instructions", volatile.length, "session"],
    ["Conversation", conversationChars, "turn"],
    ["Memory", memoryChars, "turn"],
    ["Earlier conversations", digestChars, "turn"],
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
