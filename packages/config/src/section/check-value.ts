import { type BaseIssue, type GenericSchema, safeParse } from "valibot";
import { oneLine } from "../problem/index.ts";

/** What is wrong with a value: where inside it, and why. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** The first fault of a value, or `undefined` when the schema accepts it. A secret's fault never quotes the value. */
export function faultOf(schema: GenericSchema, value: unknown, secret: boolean): ValueFault | undefined {
  const result = safeParse(schema, value, { abortEarly: true, abortPipeEarly: true });
  if (result.success) return undefined;
  const issue = result.issues[0];
  const path = (issue.path ?? []).map((step) => (typeof step.key === "number" ? step.key : String(step.key)));
  return { path, reason: reasonOf(issue, secret) };
}

function reasonOf(issue: BaseIssue<unknown>, secret: boolean): string {
  const expected =
    issue.expected === null ? undefined : `expected ${oneLine(issue.expected, 100).replaceAll('"', "'")}`;
  const own = issue.message.startsWith("Invalid ") ? undefined : issue.message;
  const text = oneLine(own ?? expected ?? "wrong value");
  if (!secret) return own === undefined ? `${text}, got ${oneLine(issue.received, 60)}` : text;
  // An own message could be built from the value; one that could quote it is not shown.
  const raw = typeof issue.input === "string" ? issue.input : "";
  return raw.length > 0 && text.includes(raw) ? "wrong value (not shown)" : text;
}
