export { type PromptRow, promptRows } from "./prompt-rows.ts";
export { ServerPrompts } from "./server-prompts.ts";
