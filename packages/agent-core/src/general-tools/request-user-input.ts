import { type AnyTool, defineTool, type FormStep, park } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { formSchemaProblem } from "../approval/index.ts";
import { CodedError } from "../error/index.ts";

export const MAX_FORM_STEPS = 20;

/** A form that could not be filled in. The message tells the model what to correct. */
export class BrokenFormError extends CodedError<"request_user_input.broken-form"> {
  override readonly name = "BrokenFormError";

  constructor(message: string, options?: ErrorOptions) {
    super("request_user_input.broken-form", message, options);
  }
}

const step = v.object({
  schema: v.pipe(
    v.looseObject({}),
    v.description("JSON Schema of the fields asked for: type object, with properties and required."),
  ),
  title: v.optional(v.pipe(v.string(), v.maxLength(500))),
  description: v.optional(v.pipe(v.string(), v.maxLength(5000))),
});

/**
 * `request_user_input(title, steps, description='')` (A13): parks the task with a form; the validated
 * answer is the call's result. A schema that no answer could satisfy is refused before anyone is asked. Pure, as
 * `ask_human`.
 */
export const requestUserInput: AnyTool = defineTool({
  name: "request_user_input",
  description:
    "Ask the operator to fill in a form and wait for it. Prefer it to ask_human when you need several values or values of a certain form; several steps make a wizard.",
  input: v.object({
    title: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500)),
    steps: v.pipe(v.array(step), v.minLength(1), v.maxLength(MAX_FORM_STEPS)),
    description: v.optional(v.pipe(v.string(), v.maxLength(5000)), ""),
  }),
  effect: "pure",
  availableTo: ["lead", "peers"],
  content: "own",
  present: { doing: "Asking for {title}", done: "Asked for {title}" },
  run({ title, description, steps }) {
    for (const [index, { schema }] of steps.entries()) {
      const problem = formSchemaProblem(schema);
      if (problem !== undefined)
        throw new BrokenFormError(`the schema of step ${index + 1} cannot be used: ${problem}`);
    }
    return park.form({ title, description, steps: steps as readonly FormStep[] });
  },
});
