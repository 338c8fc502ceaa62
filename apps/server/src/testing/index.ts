export { type Answer, ask, type Question } from "./ask.ts";
