export { type KeepAnswersOptions, keepAnswers } from "./keep-answers.ts";
