/** What a goal is asked for with, and what it becomes. */
import * as v from "valibot";
import { OPERATOR_CLASS } from "../share/index.ts";
import { type CheckAuthor, VerifierError, type Verifiers } from "../verifier/index.ts";
import { GOAL_LIMITS, type Goal, type GoalSpec, UNDRIVEN } from "./goal.ts";
import { GoalError } from "./goal-error.ts";
import type { GoalSectionValue } from "./goal-section.ts";

/** A goal to be set. */
export interface NewGoal {
  readonly context: string;
  readonly condition: string;
  /** A verifier, or the name of one; absent: a model judges. */
  readonly verifier?: unknown;
  readonly project?: string | undefined;
  readonly maxIterations?: number | undefined;
  readonly noProgressLimit?: number | undefined;
  readonly outcome?: string | undefined;
  readonly constraints?: readonly string[] | undefined;
  readonly boundaries?: readonly string[] | undefined;
  readonly stopWhen?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly by: CheckAuthor;
  readonly outside?: boolean | undefined;
  readonly originCall?: string | undefined;
}

const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
const items = v.optional(v.pipe(v.array(v.pipe(text(GOAL_LIMITS.item), v.nonEmpty())), v.maxLength(GOAL_LIMITS.items)));
const whole = (most: number) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)));

/** The JSON after `/goal`, with the names of the operator API. */
const writtenSchema = v.strictObject({
  condition: v.pipe(text(GOAL_LIMITS.condition), v.nonEmpty()),
  verifier: v.optional(v.unknown()),
  project: v.optional(text(200)),
  max_iterations: whole(GOAL_LIMITS.iterations),
  no_progress_limit: whole(GOAL_LIMITS.noProgress),
  outcome: v.optional(text(GOAL_LIMITS.outcome)),
  constraints: items,
  boundaries: items,
  stop_when: v.optional(text(GOAL_LIMITS.stopWhen)),
  fresh_context: v.optional(v.boolean()),
});

/** Reads what a person wrote after `/goal`: JSON, or the condition alone. @throws GoalError invalid */
export function writtenGoal(written: string): Omit<NewGoal, "context" | "by"> {
  if (!written.startsWith("{")) return { condition: written };
  let given: unknown;
  try {
    given = JSON.parse(written);
  } catch {
    throw new GoalError("invalid", "what stands after /goal begins as JSON and is none");
  }
  const read = v.safeParse(writtenSchema, given);
  if (!read.success) {
    const [issue] = read.issues;
    const at = v.getDotPath(issue) ?? "";
    throw new GoalError("invalid", `${at === "" ? "the goal" : `\`${at}\``} does not fit: ${issue.message}`);
  }
  const { max_iterations, no_progress_limit, stop_when, fresh_context, ...same } = read.output;
  return {
    ...{ ...same, maxIterations: max_iterations, noProgressLimit: no_progress_limit },
    ...{ stopWhen: stop_when, fresh: fresh_context },
  };
}

/** @throws GoalError invalid, refused */
export async function goalOf(
  asked: NewGoal,
  {
    verifiers,
    settings,
    id,
    now,
  }: { readonly verifiers: Verifiers; readonly settings: GoalSectionValue; readonly id: string; readonly now: number },
): Promise<Goal> {
  const condition = asked.condition.trim();
  if (condition === "") throw new GoalError("invalid", "a goal has a condition");
  if (condition.length > GOAL_LIMITS.condition) throw new GoalError("invalid", "the condition is too long");
  const { context, by, outcome = "", constraints = [], boundaries = [], stopWhen = "", fresh = false } = asked;
  const spec: GoalSpec = {
    ...{ condition, check: await prepared(asked, verifiers), outcome: outcome.trim(), constraints, boundaries },
    ...{ stopWhen: stopWhen.trim(), fresh, createdBy: by, outside: asked.outside === true },
    noProgressLimit: asked.noProgressLimit ?? settings.no_progress_limit,
    originCall: asked.originCall,
  };
  const state = { ...UNDRIVEN, maxIterations: asked.maxIterations ?? settings.max_iterations };
  return {
    ...{ id, class: OPERATOR_CLASS, context, spec, state, plan: "", status: "active" },
    ...{ createdAt: now, finishedAt: undefined },
  };
}

async function prepared({ verifier = "llm", by, project }: NewGoal, verifiers: Verifiers) {
  try {
    return await verifiers.prepare(verifier ?? "llm", { by, project, model: true });
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error;
    throw new GoalError(error.code === "verifier.refused" ? "refused" : "invalid", error.message, { cause: error });
  }
}
