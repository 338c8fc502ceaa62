/** The forms of `agent-service goals` that read. */
import type { GoalEventRow, GoalRow } from "@agent-service/operator-api";
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../command.ts";
import { CommandProblem } from "../command-failure.ts";
import { timeOf } from "../commands/tasks.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, limitFlag, positionalsOf, refuseArguments } from "../flag-values.ts";
import { clean, columns, dollars, facts, oneLine } from "../terminal-text.ts";
import { checkOf, stateOf, waitOf } from "./goal-words.ts";

export const STATUSES = ["active", "met", "exhausted", "unachievable"] as const satisfies readonly GoalRow["status"][];

export async function listGoals(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, positionals, write, writeJson, note } = context;
  refuseArguments("goals list", positionals.slice(1));
  const limit = limitFlag(flags);
  const status = choiceFlag(flags, "status", STATUSES);
  let enabled = true;
  const { rows, more } = await allPages(
    async (cursor) => {
      const page = await api.get("/api/goals", { query: { limit: Math.min(500, limit), cursor, status } });
      ({ enabled } = page);
      return page;
    },
    ({ goals }) => goals,
    limit,
  );
  if (json) writeJson({ enabled, goals: rows, more });
  else if (rows.length === 0) note(status === undefined ? "There are no goals.\n" : `No goal is ${status}.\n`);
  else {
    const cells = rows.map((goal) => [
      ...[goal.session_id, stateOf(goal), `${goal.iteration} of ${goal.max_iterations}`, checkOf(goal)],
      ...[timeOf(goal.started_at), oneLine(goal.condition, 60)],
    ]);
    write(columns(["SESSION", "STATE", "ITERATION", "CHECK", "SET", "CONDITION"], cells, io.stdout));
  }
  noteOff(context, enabled);
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}

function noteOff({ note }: Pick<CommandContext, "note">, enabled: boolean): void {
  if (!enabled) note("Goals are switched off: goal.enabled\n");
}

export async function showGoal(context: CommandContext): Promise<ExitCode> {
  const { api, json, writeJson } = context;
  const [session_id = ""] = positionalsOf(context, "a session");
  const { enabled, goal, plan } = await api.get("/api/goals/{session_id}", { params: { session_id } });
  if (goal === null) throw new CommandProblem("refused", `The session ${session_id} has no goal.`);
  if (json) writeJson({ enabled, goal, plan });
  else writeGoal(context, goal);
  noteOff(context, enabled);
  return EXIT.ok;
}

/** A goal for people: contract, plan, last verdict, what it waits for. */
export function writeGoal({ write }: Pick<CommandContext, "write">, goal: GoalRow): void {
  const { no_progress_streak: streak, spent, finished_at: finished } = goal;
  const waits = waitOf(goal);
  const same = streak < 2 ? "" : `, ${streak} equal verdicts in a row of ${goal.no_progress_limit} at most`;
  const ended = finished === null ? "" : `, ended ${timeOf(finished)}`;
  write(
    facts([
      ["session", `${goal.session_id} (${stateOf(goal)})`],
      ["iteration", `${goal.iteration} of ${goal.max_iterations}${same}`],
      waits === undefined ? undefined : ["waits for", waits],
      ["check", JSON.stringify(goal.verifier)],
      goal.project === null ? undefined : ["project", goal.project],
      goal.outcome === "" ? undefined : ["outcome", goal.outcome],
      ...goal.constraints.map((text) => ["keep to", text] as const),
      ...goal.boundaries.map((text) => ["leave", text] as const),
      goal.stop_when === "" ? undefined : ["stop when", goal.stop_when],
      goal.fresh_context ? ["a turn sees", "the answer before it, not the whole conversation"] : undefined,
      ["spent", `${dollars(spent.usd)}, ${spent.tokens} tokens`],
      ["set", `${timeOf(goal.started_at)} by ${goal.created_by}${ended}`],
      goal.abandon_reason === "" ? undefined : ["given up", goal.abandon_reason],
      goal.last_reason === "" ? undefined : ["last verdict", goal.last_reason],
    ]),
  );
  write(`\n${clean(goal.condition)}\n`);
  if (goal.plan !== "") write(`\nPlan:\n${indented(goal.plan, PLAN_LINES)}`);
  if (goal.last_evidence !== "") write(`\nEvidence:\n${indented(goal.last_evidence)}`);
}

/** Lines of evidence that are shown; JSON has all. */
const EVIDENCE_LINES = 20;
const PLAN_LINES = 200;

function indented(text: string, most = EVIDENCE_LINES): string {
  const lines = clean(text).trimEnd().split("\n");
  const left = lines.length - most;
  const shown = lines.slice(0, most).map((line) => `  ${line}\n`);
  return `${shown.join("")}${left > 0 ? `  … ${left} more lines: --json\n` : ""}`;
}

export async function showTimeline(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, note, write, writeJson } = context;
  const [session_id = ""] = positionalsOf(context, "a session");
  const limit = limitFlag(flags);
  const { rows, more } = await allPages(
    (cursor) =>
      api.get("/api/goals/{session_id}/timeline", {
        params: { session_id },
        query: { limit: Math.min(200, limit), cursor },
      }),
    ({ events }) => events,
    limit,
  );
  if (json) writeJson({ events: rows, more });
  else for (const event of rows) write(eventText(event));
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}

/** An event with its evidence below it. */
function eventText(event: GoalEventRow): string {
  const { kind, iteration, met, status, usd, tokens, task_id: task } = event;
  const verdict = met === null ? "" : met ? ": met" : ": not met";
  const end = kind === "ended" && status !== null ? `: ${status}` : "";
  const parts = [
    `${timeOf(event.at)}  ${kind.replaceAll("_", " ")}${iteration === null ? "" : ` ${iteration}`}${verdict}${end}`,
    ...(tokens === null || tokens === 0 ? [] : [`${dollars(usd)}, ${tokens} tokens`]),
    ...(task === null ? [] : [`task ${task}`]),
  ];
  const texts = [event.reason, event.evidence, event.text].filter((text) => text !== "");
  return `${clean(parts.join("  "))}\n${texts.map((text) => indented(text)).join("")}`;
}
