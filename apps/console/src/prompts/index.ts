export { answerInText } from "./answer-in-text.ts";
export { Arguments } from "./arguments.tsx";
export type { PromptOf, WaitingPrompt } from "./prompt.ts";
export { focusPrompt, PromptCard, promptTitle } from "./prompt-card.tsx";
