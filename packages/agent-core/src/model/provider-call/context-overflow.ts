/**
 * How providers report that the prompt does not fit. There is no common code, so the wording decides (R5: a context
 * overflow compacts once and retries).
 */
const PHRASES: readonly RegExp[] = [
  // OpenAI, vLLM, OpenRouter: "This model's maximum context length is 8192 tokens"; Mistral: "… maximum context length"
  /maximum context length/i,
  // OpenAI's code; llama.cpp's type; LiteLLM's exception
  /context_length_exceeded|exceed_context_size|ContextWindowExceeded/i,
  // Anthropic: "prompt is too long: 210000 tokens > 200000 maximum"; Bedrock: "Input is too long for requested model"
  /(?:prompt|input) is too long/i,
  // Anthropic: "input length and `max_tokens` exceed context limit"
  /exceeds? (?:the )?(?:available |model'?s? )?context (?:limit|size|length|window)/i,
  // Gemini: "The input token count (1048577) exceeds the maximum number of tokens allowed"
  /input token count.{0,40}exceeds the maximum/i,
  // Groq: "Please reduce the length of the messages or completion"
  /reduce the length of the (?:messages|prompt|input)/i,
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens"
  /maximum prompt length/i,
  // vLLM: "The decoder prompt (length 9000) is longer than the maximum model length of 4096"
  /longer than the maximum model length/i,
  // LM Studio: "… when context the overflows. However, the model is loaded with context length of only 4096 tokens"
  /context (?:the )?overflows|loaded with context length of only/i,
  // Cohere: "too many tokens: total number of tokens in the prompt cannot exceed 4081"
  /too many tokens.{0,60}prompt/i,
  // Text Generation Inference: "`inputs` tokens + `max_new_tokens` must be <= 8193"
  /inputs.{0,3} (?:tokens|must have less than).{0,40}(?:max_new_tokens|tokens)/i,
  // DashScope: "Range of input length should be [1, 30720]"
  /range of input length should be/i,
  // Moonshot: "Your request exceeded model token limit: 8192"
  /exceeded model token limit/i,
];

/** Whether a provider's error text means that the request is longer than the model's context. */
export function isContextOverflow(text: string): boolean {
  return PHRASES.some((phrase) => phrase.test(text));
}
