import * as v from "valibot";
import { RUNS_PROGRAMS, refusePrograms } from "../check-programs/index.ts";
import { cursorOf, flagQuery, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, json, type RequestKey, type ServedRoute, serve } from "../route/index.ts";
import {
  GOAL_STATUSES,
  type GoalEventRow,
  type GoalRow,
  goalEventSchema,
  goalSchema,
  newGoalSchema,
  rearmSchema,
} from "./schema.ts";

const tag = "Goals";
const params = { session_id: "The session whose goal it is." };
const none = { 404: "The session has no goal." } as const;
const off = { 503: "Goals are switched off (`goal.enabled`)." } as const;
const enabled = v.pipe(v.boolean(), v.description("Goals are driven and checked."));

export const listGoals = defineRoute({
  name: "goals.list",
  method: "GET",
  path: "/api/goals",
  tag,
  summary: "Goals of all sessions, the newest first",
  query: v.object({
    ...pageQuery(v.object({ at: v.number(), id: v.string() }), { defaultLimit: 100, maxLimit: 500 }).entries,
    status: v.optional(v.picklist(GOAL_STATUSES)),
  }),
  reply: json(v.object({ enabled, goals: v.array(goalSchema), ...pageFields })),
});

export const setGoal = defineRoute({
  name: "goals.set",
  method: "POST",
  path: "/api/goals",
  tag,
  summary: "Sets the goal of a session, in the place of the one it has, and starts to work on it",
  decides: RUNS_PROGRAMS,
  body: newGoalSchema,
  reply: json(v.object({ ok: v.literal(true), message: v.string(), kicked: v.boolean(), goal: goalSchema })),
  failures: {
    400: "The condition is missing, or the verifier cannot be used; the detail says why.",
    403: "A check that runs programs is not set on an instance that others reach without a credential.",
    409: "There are as many active goals as there may be.",
    ...off,
  },
  example: {
    body: {
      session_id: "cart",
      condition: "The tests of the cart pass",
      verifier: { type: "test", command: "node --test", pin: ["cart.test.mjs"] },
      max_iterations: 5,
    },
  },
});

export const readGoal = defineRoute({
  name: "goals.read",
  method: "GET",
  path: "/api/goals/{session_id}",
  tag,
  summary: "The goal of a session, with its plan",
  params,
  reply: json(v.object({ enabled, goal: v.nullable(goalSchema), plan: v.string() })),
});

export const listGoalEvents = defineRoute({
  name: "goals.timeline",
  method: "GET",
  path: "/api/goals/{session_id}/timeline",
  tag,
  summary: "What happened to a goal, newest first: drives, verdicts with their evidence and cost, plans, pauses",
  params,
  query: pageQuery(v.number()),
  reply: json(v.object({ events: v.array(goalEventSchema), ...pageFields })),
  failures: none,
});

export const rearmGoal = defineRoute({
  name: "goals.rearm",
  method: "POST",
  path: "/api/goals/{session_id}/rearm",
  tag,
  summary: "Takes up a goal that has ended, its counters at zero; gives an active one more iterations",
  params,
  body: rearmSchema,
  reply: json(
    v.object({
      ok: v.literal(true),
      message: v.string(),
      resumed: v.pipe(v.boolean(), v.description("It had ended.")),
      kicked: v.boolean(),
      goal: goalSchema,
    }),
  ),
  failures: {
    400: "The goal is active and `add_iterations` is missing.",
    ...none,
    409: "There are as many active goals as there may be.",
    ...off,
  },
});

export const resumeGoal = defineRoute({
  name: "goals.resume",
  method: "POST",
  path: "/api/goals/{session_id}/resume",
  tag,
  summary: "Goes on with a goal that is paused",
  params,
  reply: json(
    v.object({
      ok: v.literal(true),
      kicked: v.pipe(v.boolean(), v.description("False: it is being worked on already.")),
    }),
  ),
  failures: { 400: "The session has no active goal.", ...off },
});

export const clearGoal = defineRoute({
  name: "goals.clear",
  method: "DELETE",
  path: "/api/goals/{session_id}",
  tag,
  summary: "Removes the goal of a session and cancels the turn that works on it",
  params,
  query: v.object({ close_tasks: flagQuery("Close the open issues of the session first.") }),
  reply: json(v.object({ cleared: v.boolean(), tasks_closed: v.number() })),
  failures: { 503: "The task board cannot be opened." },
});

/** Where a page of goals ended. */
export interface GoalPosition {
  /** When it was set, epoch milliseconds. */
  readonly at: number;
  readonly id: string;
}

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface GoalsService {
  readonly enabled: () => boolean;
  list(page: {
    readonly limit: number;
    readonly after: GoalPosition | undefined;
    readonly status: GoalRow["status"] | undefined;
  }): Promise<readonly { readonly row: GoalRow; readonly position: GoalPosition }[]>;
  /** Undefined: the session has none. */
  read(session: string): Promise<GoalRow | undefined>;
  set(
    goal: v.InferOutput<typeof newGoalSchema>,
    key: RequestKey | undefined,
  ): Promise<{ readonly message: string; readonly kicked: boolean; readonly goal: GoalRow }>;
  timeline(
    session: string,
    page: { readonly limit: number; readonly before: number | undefined },
  ): Promise<readonly GoalEventRow[]>;
  rearm(
    session: string,
    asked: v.InferOutput<typeof rearmSchema>,
    key: RequestKey | undefined,
  ): Promise<{ readonly message: string; readonly resumed: boolean; readonly kicked: boolean; readonly goal: GoalRow }>;
  resume(session: string): Promise<{ readonly kicked: boolean }>;
  clear(
    session: string,
    options: { readonly closeTasks: boolean },
  ): Promise<{ readonly cleared: boolean; readonly tasks_closed: number }>;
}

export function goalRoutes(goals: GoalsService): readonly ServedRoute[] {
  return [
    serve(listGoals, async ({ query: { limit, cursor, status } }) => {
      const found = await goals.list({ limit, after: cursor, status });
      const last = found.length < limit ? undefined : found.at(-1)?.position;
      return { enabled: goals.enabled(), goals: found.map(({ row }) => row), next_cursor: cursorOf(last) };
    }),
    serve(setGoal, async ({ body, requestKey, refuseDecision }) => {
      await refusePrograms(body.verifier, { refuseDecision });
      return { ok: true as const, ...(await goals.set(body, requestKey)) };
    }),
    serve(readGoal, async ({ params }) => {
      const goal = (await goals.read(params.session_id)) ?? null;
      return { enabled: goals.enabled(), goal, plan: goal?.plan ?? "" };
    }),
    serve(listGoalEvents, async ({ params, query: { limit, cursor } }) => {
      const events = [...(await goals.timeline(params.session_id, { limit, before: cursor }))];
      return { events, next_cursor: cursorOf(events.length < limit ? undefined : events.at(-1)?.no) };
    }),
    serve(rearmGoal, async ({ params, body, requestKey }) => ({
      ok: true as const,
      ...(await goals.rearm(params.session_id, body, requestKey)),
    })),
    serve(resumeGoal, async ({ params }) => ({ ok: true as const, ...(await goals.resume(params.session_id)) })),
    serve(clearGoal, ({ params, query }) => goals.clear(params.session_id, { closeTasks: query.close_tasks })),
  ];
}
