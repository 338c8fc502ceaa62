export { Arguments } from "./arguments.tsx";
export type { PromptOf, WaitingPrompt } from "./prompt.ts";
export { PromptCard } from "./prompt-card.tsx";
