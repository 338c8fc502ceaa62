import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { listProblemSchema, textProblemSchema } from "../problem/index.ts";
import type { Answer } from "./answer.ts";
import type { RouteDefinition } from "./route-definition.ts";

/** Failures that every route can have (B30; A4, S1, S7). */
const general: readonly number[] = [400, 401, 403, 413, 415, 422, 500, 503];

/** What an idempotency key adds to a POST (A15). */
const ofKeys: readonly number[] = [409];

/**
 * What is wrong with an answer by its definition, in one line; undefined when it fits. A schema drops fields it does not
 * know, so a value that comes back changed holds something the definition lacks. For tests: a service does not
 * pay for it.
 */
export function misfitOf(definition: RouteDefinition, answer: Answer): string | undefined {
  const { name, reply, emptyWhen, acceptedWhen, failures = {} } = definition;
  const { status, body } = answer;
  const at = (problem: string): string => `${name}: ${status}: ${problem}`;
  if (status === 204) {
    return reply.kind === "empty" || emptyWhen !== undefined ? undefined : at("an empty answer is not declared");
  }
  if (status === 202 && acceptedWhen !== undefined) return misfit(acceptedWhen.schema, body, at);
  if (status < 300) {
    if (status !== reply.status) return at(`declared is ${reply.status}`);
    if (reply.kind !== "json") return undefined;
    return misfit(reply.schema, body, at);
  }
  const failure = failures[status];
  const ofKey = definition.method === "POST" && definition.idempotency !== "own" && ofKeys.includes(status);
  if (failure === undefined && !general.includes(status) && !ofKey) return at("this failure is not declared");
  if (failure !== undefined && typeof failure !== "string") return misfit(failure.schema, body, at);
  return misfit(status === 422 ? v.union([listProblemSchema, textProblemSchema]) : textProblemSchema, body, at);
}

function misfit(schema: v.GenericSchema, body: Answer["body"], at: (problem: string) => string): string | undefined {
  if (typeof body !== "string") return at("a JSON body is declared");
  const value: unknown = JSON.parse(body);
  const result = v.safeParse(schema, value);
  if (!result.success) {
    const [issue] = result.issues;
    return at(`${v.getDotPath(issue) ?? "the whole"}: ${issue.message}`);
  }
  return isDeepStrictEqual(result.output, value) ? undefined : at("it holds fields that its schema does not name");
}
