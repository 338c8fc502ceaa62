/** The agent's side of its goals (G9, G17). */
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { outsideApproval } from "../trigger/index.ts";
import type { Verifiers } from "../verifier/index.ts";
import { GOAL_LIMITS } from "./goal.ts";
import type { Goals } from "./goals.ts";

const INCOGNITO = "Nothing of this turn may stay, so nothing of a goal can be changed in it.";
const OF_GOALS = { availableTo: ["lead"], content: "own", effect: "idempotent" } as const;
const text = (most: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(most));

export interface GoalToolParts {
  readonly goals: Goals;
  readonly verifiers: Pick<Verifiers, "list">;
}

/** `list_verifiers`, `set_goal`, `update_goal_plan`, `abandon_goal`. */
export function goalTools({ goals, verifiers }: GoalToolParts): readonly AnyTool[] {
  return [listVerifiers(verifiers), setGoal(goals), updateGoalPlan(goals), abandonGoal(goals)];
}

function listVerifiers(verifiers: GoalToolParts["verifiers"]): AnyTool {
  return defineTool({
    name: "list_verifiers",
    description: "List the checks that goals and watches can use, with the schemas of their arguments.",
    input: v.object({}),
    ...OF_GOALS,
    ...{ effect: "pure", deferred: true },
    present: { asks: "List the checks?", doing: "Reading the checks", done: "Read the checks" },
    async run() {
      const known = verifiers.list();
      if (known.length === 0) return "There are no checks.";
      return known.map(({ name, description, args }) => `${name}: ${description} ${JSON.stringify(args)}`).join("\n");
    },
  });
}

function setGoal(goals: Goals): AnyTool {
  return defineTool({
    name: "set_goal",
    description:
      "Work towards a condition in this conversation, turn after turn, until a check says that it holds. The check runs after this turn; list_verifiers names the checks.",
    input: v.object({
      condition: v.pipe(text(GOAL_LIMITS.condition), v.description("In words.")),
      check: v.pipe(text(129), v.description("A verifier, for example core:url.")),
      check_args: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
      max_iterations: v.optional(
        v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(GOAL_LIMITS.iterations))),
      ),
    }),
    ...{ ...OF_GOALS, deferred: true },
    present: { asks: "Set the goal: {condition}?", doing: "Setting a goal", done: "Goal: {condition}" },
    approval: ({ condition }, context) => outsideApproval(context, "Set a goal?", [condition]),
    async run({ condition, check, check_args, max_iterations }, { caller, callId, contextId, taskId }) {
      if (caller.incognito) return INCOGNITO;
      const { goal, replaced } = await goals.set(
        {
          ...{ context: contextId, condition, by: "agent", outside: caller.tainted, originCall: callId },
          verifier: { type: "plugin", check, args: check_args ?? {} },
          maxIterations: max_iterations ?? undefined,
        },
        { kind: "within", task: taskId },
      );
      const how = replaced ? "The goal was replaced" : "The goal is set";
      return `${how}: at most ${goal.state.maxIterations} iterations. It is checked when this turn ends.`;
    },
  });
}

function updateGoalPlan(goals: Goals): AnyTool {
  return defineTool({
    name: "update_goal_plan",
    description: "Keep a plan for this conversation's goal, in the place of the one before.",
    input: v.object({ plan: v.pipe(v.string(), v.maxLength(GOAL_LIMITS.plan), v.description("Markdown.")) }),
    ...OF_GOALS,
    present: { asks: "Keep this plan?", doing: "Keeping the plan", done: "Kept the plan" },
    // A drive that reads pages keeps its plan as one of outside, so that it need not wait for a person (G29).
    approval: ({ plan }, context) =>
      context.caller.unattended ? undefined : outsideApproval(context, "Keep a plan for the goal?", [plan]),
    async run({ plan }, { caller, contextId }) {
      if (caller.incognito) return INCOGNITO;
      await goals.plan(contextId, plan, { outside: caller.tainted });
      return "The plan is kept.";
    },
  });
}

function abandonGoal(goals: Goals): AnyTool {
  return defineTool({
    name: "abandon_goal",
    description: "Give up this conversation's goal, unless the check after this turn finds it met.",
    input: v.object({ reason: text(GOAL_LIMITS.abandon) }),
    ...OF_GOALS,
    present: { asks: "Give up the goal?", doing: "Giving up the goal", done: "Gave up the goal: {reason}" },
    async run({ reason }, { caller, contextId }) {
      if (caller.incognito) return INCOGNITO;
      await goals.abandon(contextId, reason);
      return "Noted: the goal ends when this turn ends, unless it is found met.";
    },
  });
}
