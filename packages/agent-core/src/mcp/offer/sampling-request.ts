/** What a server asks a model for, within bounds (M11). It was written by others: every field is looked at. */
import { withoutInvisible } from "../definition/index.ts";
import { readCallResult } from "../result/index.ts";

/** Tokens of an answer. */
const MAX_TOKENS = 4_096;
const MAX_MESSAGES = 100;
/** Characters of all messages. */
const MAX_CHARS = 200_000;
const MAX_STOPS = 4;
const MAX_STOP_CHARS = 200;

export interface SamplingRequest {
  /** The last one is the server's question. */
  readonly messages: readonly { readonly isAnswer: boolean; readonly text: string }[];
  readonly instructions: string | undefined;
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  readonly stop: readonly string[];
}

type Fields = { readonly [key: string]: unknown };

/** Reads the parameters of `sampling/createMessage`; a text: what is wrong with them. Never throws. */
export function readSampling(params: unknown, redact: (text: string) => string): SamplingRequest | string {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools } = (params ?? {}) as Fields;
  if (Array.isArray(tools) && tools.length > 0) return "it asked for a model with tools, which is not offered";
  const listed: readonly unknown[] = Array.isArray(messages) ? messages : [];
  if (listed.length === 0 || listed.length > MAX_MESSAGES)
    return `it asked a model with no message, or more than ${MAX_MESSAGES}`;
  const clean = (text: string): string => redact(withoutInvisible(text));
  const read = listed.map((message) => {
    const { role, content } = (message ?? {}) as Fields;
    const { text } = readCallResult({ content: [content].flat() }, { maxChars: null, redact });
    return { isAnswer: role === "assistant", text: clean(text) };
  });
  if (read.at(-1)?.isAnswer === true) return "it asked a model with an answer as the last message";
  const instructions = typeof systemPrompt === "string" ? clean(systemPrompt).trim() : "";
  const chars = read.reduce((sum, { text }) => sum + text.length, instructions.length);
  if (chars > MAX_CHARS) return `it asked a model with ${chars} characters, and may have ${MAX_CHARS}`;
  const stops: readonly unknown[] = Array.isArray(stopSequences) ? stopSequences : [];
  return {
    messages: read,
    instructions: instructions === "" ? undefined : instructions,
    maxTokens: isNumber(maxTokens) ? Math.max(1, Math.min(Math.floor(maxTokens), MAX_TOKENS)) : MAX_TOKENS,
    temperature: isNumber(temperature) && temperature >= 0 && temperature <= 2 ? temperature : undefined,
    stop: stops
      .filter((one): one is string => typeof one === "string" && one.trim() !== "" && one.length <= MAX_STOP_CHARS)
      .slice(0, MAX_STOPS),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
