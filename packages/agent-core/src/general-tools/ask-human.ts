import { type AnyTool, defineTool, park } from "@agent-service/plugin-sdk";
import * as v from "valibot";

/**
 * `ask_human(question)` (A13): parks the task; the reply is the call's result. Pure: before it parks
 * it does nothing, and once it has parked it is never run again.
 */
export const askHuman: AnyTool = defineTool({
  name: "ask_human",
  description:
    "Ask the operator a question and wait for the reply. Use it when you cannot go on without an answer or a decision that only a person can give; ask one clear question.",
  input: v.object({
    question: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(10_000), v.description("The question, in full.")),
  }),
  effect: "pure",
  availableTo: ["lead", "peers"],
  content: "own",
  present: { doing: "Asking: {question}", done: "Asked: {question}" },
  run: ({ question }) => park.question(question),
});
