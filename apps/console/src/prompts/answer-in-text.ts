import { type FormField, formFields } from "./form-fields.ts";
import { nameOf, readStep } from "./form-values.ts";
import type { WaitingPrompt } from "./prompt.ts";

/**
 * Returns the answer that a text is to a prompt: the text to a question, the filled field to a form of one field.
 * `problem`: why the text is none. Undefined where a text cannot answer it: approvals, which any text but a few words
 * would decline, and forms of several fields.
 */
export function answerInText(
  { payload }: Pick<WaitingPrompt, "payload">,
  text: string,
): { readonly answer: unknown } | { readonly problem: string } | undefined {
  if (payload.kind === "question") return { answer: text };
  const field = payload.kind === "form" ? onlyField(payload.steps) : undefined;
  if (field === undefined) return undefined;
  const read = readStep([field], new Map([[nameOf(field), text]]));
  return read.ok ? { answer: read.values } : { problem: read.problems.values().next().value ?? "" };
}

/** The field of a form that asks for one text or number and nothing else. */
function onlyField(steps: readonly { readonly schema: { readonly [key: string]: unknown } }[]): FormField | undefined {
  const [step, ...others] = steps;
  if (step === undefined || others.length > 0) return undefined;
  const [field, ...more] = formFields(step.schema);
  if (field === undefined || more.length > 0) return undefined;
  return field.control.kind === "text" || field.control.kind === "number" ? field : undefined;
}
