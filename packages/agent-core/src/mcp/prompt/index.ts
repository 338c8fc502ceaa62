export type { PromptRow } from "./prompt-rows.ts";
export { ServerPrompts } from "./server-prompts.ts";
