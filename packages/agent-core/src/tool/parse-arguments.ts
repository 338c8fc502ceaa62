/**
 * From the text a model wrote to the input a tool runs with (R4, A13, S7). No text makes it throw: what does
 * not fit becomes a message the model can act on.
 */
import { hash } from "node:crypto";
import type { AnyTool } from "@agent-service/plugin-sdk";
import { type BaseIssue, getDotPath, safeParse } from "valibot";
import { unstorablePath } from "../database/index.ts";
import { canonicalJson, parseJson } from "../json/index.ts";

/** How many things wrong one message names. */
const ISSUES_NAMED = 5;
/** How many places are returned. */
const PLACES_NAMED = 20;
/** Most characters of one of them. */
const ISSUE_CHARS = 240;

/** Where arguments do not fit, and why. */
export interface ArgumentPlace {
  /** From the outside in; empty: the arguments as a whole. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Arguments, or why they are none. */
export type ParsedArguments =
  | {
      readonly ok: true;
      /** What `run` receives: defaults filled in, unknown keys dropped. */
      readonly input: unknown;
      /** The arguments as written, spelled canonically (keys sorted, no white space, no defaults). */
      readonly canonical: string;
      /** Lower-case hex SHA-256 of the tool's name and `canonical`: what an approval is bound to (A13). */
      readonly digest: string;
    }
  | {
      readonly ok: false;
      /** For the model: what is wrong, where, and what was expected. */
      readonly message: string;
      /** What is wrong where, in the arguments: of each the path and what was expected. */
      readonly places: readonly ArgumentPlace[];
      /** As above, over the text as written when it is no JSON: separates a repeated mistake from a new one (R5). */
      readonly digest: string;
    };

/** The digest of a call: equal for the same tool with the same arguments. `canonical` as `parseArguments` gives it. */
export function callDigest(name: string, canonical: string): string {
  // A tool's name holds no NUL, so no two pairs of name and text have the same digest.
  return hash("sha256", `${name}\0${canonical}`, "hex");
}

function clip(text: string): string {
  return text.length <= ISSUE_CHARS ? text : `${text.slice(0, ISSUE_CHARS)}…`;
}

function describe(issues: readonly BaseIssue<unknown>[]): string {
  const lines = issues.slice(0, ISSUES_NAMED).map((issue) => {
    const path = getDotPath(issue);
    return clip(path === null ? issue.message : `${path}: ${issue.message}`);
  });
  if (issues.length > lines.length) lines.push(`and ${issues.length - lines.length} more`);
  return lines.join("; ");
}

function clipKey(key: string | number): string | number {
  return typeof key === "number" ? key : clip(key);
}

/** What was expected, without the value that was sent: valibot's own messages quote it. */
function expectationOf({ message, expected, received, path, type }: BaseIssue<unknown>): string {
  if (!/^Invalid [a-z_ ]+: /i.test(message)) return message;
  if (received === "undefined" && path !== undefined) return "This field is required.";
  if (type === "integer" || type === "safe_integer") return "Expected a whole number.";
  return expected === null ? "This value is not accepted." : `Expected ${expected}.`;
}

function placesOf(issues: readonly BaseIssue<unknown>[]): ArgumentPlace[] {
  return issues.slice(0, PLACES_NAMED).map((issue) => {
    const path = issue.path?.map(({ key }) => clipKey(typeof key === "number" ? key : String(key))) ?? [];
    return { path, message: clip(expectationOf(issue)) };
  });
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

/**
 * Parses and validates the arguments of one call. Blank text means no arguments (`{}`). At most 1,048,576 characters
 * and 64 levels.
 */
export function parseArguments(tool: AnyTool, rawJsonText: string): ParsedArguments {
  const failed = (
    reason: string,
    digested: string,
    places: readonly ArgumentPlace[] = [{ path: [], message: reason }],
  ): ParsedArguments => ({
    ok: false,
    places,
    message: `Invalid arguments for ${tool.name}: ${reason}. Nothing was run; correct the arguments and call again.`,
    digest: callDigest(tool.name, digested),
  });
  const parsed = parseJson(rawJsonText.trim() === "" ? "{}" : rawJsonText);
  if (!parsed.ok) return failed(clip(parsed.message), rawJsonText);
  const canonical = canonicalJson(parsed.value);
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value)) {
    return failed(`expected a JSON object, got ${kindOf(parsed.value)}`, canonical);
  }
  const path = unstorablePath(parsed.value);
  if (path !== undefined) {
    const where = path.length === 0 ? "" : `${clip(path.join("."))}: `;
    const reason = "a text holds a NUL character or half of a surrogate pair; leave it out";
    return failed(`${where}${reason}`, canonical, [{ path: path.map(clipKey), message: reason }]);
  }
  try {
    const result = safeParse(tool.input, parsed.value);
    if (!result.success) return failed(describe(result.issues), canonical, placesOf(result.issues));
    return { ok: true, input: result.output, canonical, digest: callDigest(tool.name, canonical) };
  } catch (error) {
    // A check or transform of the tool's own schema threw.
    return failed(clip(error instanceof Error ? error.message : "the tool's schema refused them"), canonical);
  }
}
