export { answerInText } from "./answer-in-text.ts";
export { Arguments } from "./arguments.tsx";
export { FormControls } from "./form-controls.tsx";
export { formFields } from "./form-fields.ts";
export { type Entries, readStep } from "./form-values.ts";
export type { PromptOf, WaitingPrompt } from "./prompt.ts";
export { focusPrompt, PromptCard, promptTitle } from "./prompt-card.tsx";
