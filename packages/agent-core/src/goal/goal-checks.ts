/**
 * The checks of goals. Each is a task: journaled, billed, cancelled and taken up after a restart like any other.
 *
 * Invariants
 *  GO1  Every verdict is a row with its evidence.
 *  GO2  Only a verifier makes a goal met.
 */
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Clock } from "../clock/index.ts";
import type { Journal } from "../journal/index.ts";
import { JUDGE_INSTRUCTIONS, JUDGE_SCHEMA } from "../model/index.ts";
import { INTERRUPTED, type StartTask } from "../task/index.ts";
import { createToolbox } from "../tool/index.ts";
import type { TurnRole } from "../turn/index.ts";
import type { CheckVerdict, Verifiers } from "../verifier/index.ts";
import type { Goal } from "./goal.ts";
import { type JudgeParts, judgedVerdict, judgeMessage } from "./goal-judge.ts";
import type { HeldGoals } from "./held-goals.ts";
import { type Spent, spentBy } from "./spent.ts";

const VERIFY = "verify";
const JUDGE = "judge";
const RESULT_BYTES = 1_048_576;
const JUDGE_TOKENS = 4_000;
const ALIVE_MS = 60_000;

/** How a check ended. */
export type CheckEnd =
  | { readonly kind: "verdict"; readonly verdict: CheckVerdict; readonly spent: Spent }
  /** It came to no verdict. */
  | { readonly kind: "failed"; readonly reason: string; readonly spent: Spent }
  | { readonly kind: "interrupted" }
  | { readonly kind: "canceled" };

export interface GoalChecksParts extends JudgeParts {
  readonly journal: Pick<Journal, "statements">;
  readonly clock: Clock;
  readonly verifiers: Verifiers;
  readonly goals: Pick<HeldGoals, "byId">;
  readonly newId: () => string;
  /** Seconds of a check that names none. */
  readonly timeoutS: () => number;
  /** Undefined: the lead model. */
  readonly judgeModel: () => string | undefined;
}

export class GoalChecks {
  readonly #parts: GoalChecksParts;

  constructor(parts: GoalChecksParts) {
    this.#parts = parts;
  }

  /** The roles of its tasks: the tool that makes a check is in no other toolbox. */
  roles(): { readonly [name: string]: TurnRole } {
    return {
      [VERIFY]: { toolbox: createToolbox([this.#tool()]), system: undefined, maxRounds: 1 },
      [JUDGE]: { toolbox: createToolbox([]), system: JUDGE_INSTRUCTIONS, maxRounds: 0 },
    };
  }

  /** The task that checks a goal after a turn of its session. @throws DatabaseError */
  async taskFor(goal: Goal, turn: string | undefined): Promise<StartTask & { readonly id: string }> {
    const { newId, judgeModel } = this.#parts;
    const isJudged = goal.spec.check.spec.type === "llm";
    const role = isJudged ? JUDGE : VERIFY;
    const id = newId();
    const model = isJudged ? judgeModel() : undefined;
    const text = isJudged ? await judgeMessage(this.#parts, goal) : `Check the goal: ${goal.spec.condition}`;
    const options: StartTask["options"] = isJudged
      ? {
          ...(model !== undefined && { model }),
          ...{ unattended: true, sampling: { maxTokens: JUDGE_TOKENS } },
          skill: { resultMime: "application/json", outputSchema: JUDGE_SCHEMA },
        }
      : { unattended: true, purpose: "call", call: { name: VERIFY, args: JSON.stringify({ goal: goal.id }) } };
    return {
      ...{ id, class: goal.class, context: `goal:${id}`, origin: "auxiliary", role, options },
      ...(turn !== undefined && { parent: { task: turn, call: role } }),
      provenance: { trigger: `goal:${goal.id}` },
      input: {
        messageId: newId(),
        parts: [{ kind: "text", text }],
        metadata: { subagent_type: role, description: "Checks a goal" },
      },
    };
  }

  /** How the check of a goal ended; its task is over, or was deleted. @throws DatabaseError */
  async endOf(goal: Goal): Promise<CheckEnd> {
    const task = goal.state.verify ?? "";
    const view = (await this.#parts.service.get(task))?.view;
    if (view === undefined || view.state === "canceled") return { kind: "canceled" };
    if (view.failure?.code === INTERRUPTED.code) return { kind: "interrupted" };
    const spent = spentBy(view);
    const failed = (reason: string): CheckEnd => ({ kind: "failed", reason, spent });
    if (view.state === "failed") return failed(view.failure?.message ?? "its task failed");
    if (view.role === JUDGE) {
      const raw = judgedVerdict(view);
      return raw === undefined
        ? failed("the judge's answer does not fit")
        : { kind: "verdict", verdict: this.#parts.verifiers.shown(raw), spent };
    }
    const { db, journal } = this.#parts;
    const [row] = await db.read(journal.statements.selectCallsOfTask.bind({ task, limit: 1, bytes: RESULT_BYTES }));
    const text = String(row?.[2] ?? "");
    if (row?.[1] !== "ok") return failed(text === "" ? "the check did not run" : text.replace(/^Error: /, ""));
    try {
      return { kind: "verdict", verdict: JSON.parse(text) as CheckVerdict, spent };
    } catch {
      return failed("the check's verdict cannot be read");
    }
  }

  #tool(): AnyTool {
    const { clock, goals, verifiers, timeoutS } = this.#parts;
    return defineTool({
      name: VERIFY,
      description: "Makes the check of a goal.",
      input: v.object({ goal: v.string() }),
      ...{ effect: "idempotent", availableTo: ["subagents"], content: "own", timeoutMs: null },
      present: { asks: "Check the goal?", doing: "Checking the goal", done: "Checked the goal" },
      async run({ goal: id }, { signal, progress }) {
        const held = goals.byId(id);
        if (held === undefined) throw new Error("the goal was removed");
        let timer = clock.setTimeout(beat, ALIVE_MS, { background: true });
        function beat(): void {
          progress();
          timer = clock.setTimeout(beat, ALIVE_MS, { background: true });
        }
        try {
          const run = { signal, owner: `goal:${id}`, timeoutS: timeoutS() };
          return JSON.stringify(await verifiers.check(held.goal.spec.check, run));
        } finally {
          timer.cancel();
        }
      },
    });
  }
}
