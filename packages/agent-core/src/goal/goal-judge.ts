/** What a judge is shown of a goal, and what it answered (G13). */
import * as v from "valibot";
import { type Database, namedStatement } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import { type JudgedCall, judgeRequest } from "../model/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { TaskService } from "../task/index.ts";
import type { RawVerdict } from "../verifier/index.ts";
import type { Goal } from "./goal.ts";

const MOST_CALLS = 20;
const CALL_CHARS = 400;
const ANSWER_CHARS = 8_000;
const PLAN_CHARS = 8_000;

/** Of the newest messages the tasks: a turn with more messages than these is shown alone. */
const TURNS = namedStatement(
  `SELECT task, max(id) AS newest FROM
     (SELECT task, id FROM message WHERE class = :class AND context = :context ORDER BY id DESC LIMIT 400)
   GROUP BY task ORDER BY newest DESC LIMIT 2`,
);
const CALLS = namedStatement(
  `SELECT name, substr(args, 1, ${CALL_CHARS}), coalesce(outcome, 'open'), substr(coalesce(result, ''), 1, ${CALL_CHARS})
   FROM call WHERE task IN (SELECT value FROM json_each(:tasks)) ORDER BY started_at DESC, id DESC LIMIT ${MOST_CALLS}`,
);

const verdictSchema = v.object({
  met: v.boolean(),
  unmet: v.array(v.string()),
  reason: v.string(),
  evidence: v.string(),
  stop: v.boolean(),
});

export interface JudgeParts {
  readonly db: Database;
  readonly service: Pick<TaskService, "get">;
  readonly redactor: Pick<Redactor, "text">;
}

/** The message that asks for a verdict. @throws DatabaseError */
export async function judgeMessage({ db, service, redactor }: JudgeParts, goal: Goal): Promise<string> {
  const { class: of, context, plan, spec, state } = goal;
  const turns = (await db.read(TURNS.bind({ class: of, context }))).map(([task]) => String(task));
  const [last] = turns;
  const ended = state.turn?.task ?? last;
  const view = ended === undefined ? undefined : (await service.get(ended))?.view;
  const rows = await db.read(CALLS.bind({ tasks: JSON.stringify(turns) }));
  const calls = rows.map<JudgedCall>(([tool, args, outcome, result]) => ({
    ...{ tool: String(tool), arguments: String(args), outcome: String(outcome), result: String(result) },
  }));
  const text = judgeRequest({
    ...{ condition: spec.condition, outcome: spec.outcome, constraints: spec.constraints },
    ...{ boundaries: spec.boundaries, stop_when: spec.stopWhen, plan: plan.slice(0, PLAN_CHARS) },
    answer: answerOf(view).slice(-ANSWER_CHARS),
    calls: calls.toReversed(),
  });
  return redactor.text(text).toWellFormed();
}

/** What a judge's task answered; undefined: it fits nothing. */
export function judgedVerdict({ answer = [] }: Readonly<TaskView>): RawVerdict | undefined {
  const data = answer.find((part) => part.kind === "data");
  const read = v.safeParse(verdictSchema, data?.data);
  return read.success ? read.output : undefined;
}

function answerOf(view: Readonly<TaskView> | undefined): string {
  const parts = view?.answer ?? [];
  return parts.map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data))).join("\n");
}
