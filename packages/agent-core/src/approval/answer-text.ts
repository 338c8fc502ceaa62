/** How the answer to a prompt is put to people who read the conversation later. */
import type { InputMessage, PromptPayload } from "../event/index.ts";
import { isObject } from "./form-schema.ts";
import { readDecision } from "./read-decision.ts";
import { readAnswer, replyOf } from "./read-reply.ts";

/**
 * The answer without the form it was sent in: a text as it is, a decision in a word, values as lines of `label: value`.
 * `payload` is what was asked; undefined where it is not known.
 */
export function answerText(payload: PromptPayload | undefined, answer: InputMessage): string {
  const reply = replyOf(answer);
  if (typeof reply.answer === "string") return reply.answer;
  if (payload?.kind === "approval" || typeof reply.answer === "boolean") {
    const { approved, note = reply.note } = readDecision(reply.answer);
    return lines([approved ? "Approved" : "Declined", note]);
  }
  if (payload?.kind === "form") {
    const read = readAnswer(payload, reply);
    if (read.ok && read.answer.kind === "form" && read.answer.declined === true) {
      return lines(["Declined", read.answer.note]);
    }
  }
  return lines([valueText(reply.answer, labelsOf(payload)), reply.note]);
}

function lines(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n");
}

/** The titles of a form's fields, by their names. */
function labelsOf(payload: PromptPayload | undefined): ReadonlyMap<string, string> {
  const steps = payload?.kind === "form" ? payload.steps : [];
  const properties = steps.flatMap(({ schema }) => (isObject(schema?.properties) ? [schema.properties] : []));
  return new Map(
    properties
      .flatMap((fields) => Object.entries(fields))
      .flatMap(([name, field]) => (isObject(field) && typeof field.title === "string" ? [[name, field.title]] : [])),
  );
}

function valueText(value: unknown, labels: ReadonlyMap<string, string>): string {
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, field]) => `${labels.get(name) ?? name}: ${fieldText(field)}`)
      .join("\n");
  }
  return fieldText(value);
}

function fieldText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(fieldText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
