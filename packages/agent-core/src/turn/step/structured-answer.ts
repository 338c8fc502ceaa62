/** Answers of a structured skill (A17): JSON that fits the skill's schema, else a repair round, else failure. */
import { checkSchema } from "@agent-service/plugin-sdk";
import type { StructuredSkill } from "../task-options.ts";

/** Rounds in which the model may correct itself. */
export const REPAIR_ROUNDS = 2;
/** Most schema errors that are named; the innermost come last. */
const MAX_REASONS = 3;

/** The data, or where it did not fit. */
export type StructuredAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly reason: string };

/** Models like to wrap JSON in a fence although asked not to. */
function unfence(text: string): string {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text);
  return fenced?.[1] ?? text;
}

export function readStructuredAnswer(skill: StructuredSkill, text: string): StructuredAnswer {
  let data: unknown;
  try {
    data = JSON.parse(unfence(text));
  } catch (error) {
    return { ok: false, reason: `it is not JSON (${error instanceof Error ? error.message : "unreadable"})` };
  }
  const verdict = checkSchema(skill.outputSchema, data, { everyError: true });
  if (verdict.kind === "valid") return { ok: true, data };
  if (verdict.kind === "broken") return { ok: false, reason: `its schema cannot be used: ${verdict.problem}` };
  const where = verdict.errors
    .slice(-MAX_REASONS)
    .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
  return { ok: false, reason: where.join(" ") };
}

/** What is added to the system text while such a skill is asked for. */
export function structuredInstruction(skill: StructuredSkill): string {
  return `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(skill.outputSchema)}`;
}
