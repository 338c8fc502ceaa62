import { TASK_ORIGINS } from "@agent-service/operator-api/client";
import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, limitFlag, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { journalLine } from "../journal-line.ts";
import { clean, columns, dollars, facts, span } from "../terminal-text.ts";

const STATES = ["working", "input-required", "completed", "failed", "canceled"] as const;
/** Maximum events of a journal that are read. */
const MAX_EVENTS = 10_000;

export const tasksCommand: ClientCommand = {
  name: "tasks",
  order: 70,
  summary: "What the agent does and did, what happened in it and what it cost",
  usage: `agent-service tasks [list]          newest first
agent-service tasks show <id>       one task, with its answer
agent-service tasks journal <id>    what happened in it, step by step
agent-service tasks cancel <id>

  --state <state>       ${STATES.join(", ")}
  --origin <origin>     ${TASK_ORIGINS.join(", ")}
  --session <id>        of this session alone
  --model <name>        answered by this model
  --tool <name>         which called this tool
  --search <words>      that stand in what was asked or answered
  --limit <number>      how many; default 20
`,
  options: {
    state: { type: "string" },
    origin: { type: "string" },
    session: { type: "string" },
    model: { type: "string" },
    tool: { type: "string" },
    search: { type: "string" },
    limit: { type: "string" },
  },
  run(context) {
    const [verb = "list"] = context.positionals;
    const known = VERBS[verb];
    if (known === undefined) throw usage(`tasks takes list, show, journal or cancel, not ${JSON.stringify(verb)}`);
    return known(context);
  },
};

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  list: listTasks,
  show: showTask,
  journal: showJournal,
  cancel: cancelTask,
});

async function listTasks(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, io, write, writeJson, note } = context;
  refuseArguments("tasks list", context.positionals.slice(1));
  const state = choiceFlag(flags, "state", STATES);
  const origin = choiceFlag(flags, "origin", TASK_ORIGINS);
  const most = limitFlag(flags);
  const query = {
    limit: Math.min(most, 200),
    state,
    origin,
    session_id: textFlag(flags, "session"),
    model: textFlag(flags, "model"),
    tool: textFlag(flags, "tool"),
    search: textFlag(flags, "search"),
  };
  const { rows, more } = await allPages(
    (cursor) => api.get("/api/a2a/tasks", { query: { ...query, cursor } }),
    ({ tasks }) => tasks,
    most,
  );
  if (json) {
    writeJson({ tasks: rows, more });
    return EXIT.ok;
  }
  if (rows.length === 0) note("There are no such tasks.\n");
  else {
    const cells = rows.map((row) => [
      row.task_id,
      row.state,
      row.role ?? row.origin,
      timeOf(row.last_updated),
      span(row.duration_ms),
      dollars(row.cost_usd),
      row.incognito ? "(incognito)" : row.input,
    ]);
    write(columns(["TASK", "STATE", "FROM", "CHANGED", "TOOK", "COST", "MESSAGE"], cells, io.stdout));
  }
  if (more) note(`There are more: --limit ${most * 2}\n`);
  return EXIT.ok;
}

async function showTask(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [id = ""] = positionalsOf(context, "the id of a task");
  const { task } = await api.get("/api/a2a/tasks/{id}/journal", { params: { id }, query: { limit: 1 } });
  const found = await (await context.agent()).get(id);
  const shown = task.incognito
    ? []
    : [...(found.artifacts ?? []).flatMap(({ parts }) => parts), ...(found.status.message?.parts ?? [])];
  const text = shown.flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : [])).join("\n");
  if (json) {
    writeJson({ ...task, text });
    return EXIT.ok;
  }
  const { usage: tokens } = task;
  write(
    facts([
      ["task", task.task_id],
      ["session", task.session_id],
      ["state", task.status === null ? task.state : `${task.state}: ${task.status}`],
      ["from", `${task.origin} (${task.class})${task.role === null ? "" : `, as ${task.role}`}`],
      task.parent_task_id === null ? undefined : ["parent", task.parent_task_id],
      ["begun", timeOf(task.created_at)],
      ["took", span(task.duration_ms)],
      ["calls", `${task.model_calls} of models, ${task.tool_calls} of tools`],
      ["tokens", `${tokens.input_tokens} in (${tokens.cache_read_tokens} cached), ${tokens.output_tokens} out`],
      ["cost", dollars(task.cost_usd)],
      ["message", task.incognito ? "(incognito)" : task.input],
    ]),
  );
  if (text !== "") write(`\n${clean(text)}\n`);
  return EXIT.ok;
}

async function showJournal(context: CommandContext): Promise<ExitCode> {
  const { api, json, io, write, writeJson, note, paint } = context;
  const [id = ""] = positionalsOf(context, "the id of a task");
  const { rows, more } = await allPages(
    (cursor) =>
      api.get("/api/a2a/tasks/{id}/journal", { params: { id }, query: { order: "oldest", limit: 200, cursor } }),
    ({ events }) => events,
    MAX_EVENTS,
  );
  if (json) {
    writeJson({ task_id: id, events: rows, more });
    return EXIT.ok;
  }
  const width = io.stdout.terminal ? Math.max(60, io.stdout.columns) : 100_000;
  for (const row of rows) write(`${journalLine(row, { width, paint })}\n`);
  if (more) note(`The first ${MAX_EVENTS} events are shown.\n`);
  return EXIT.ok;
}

async function cancelTask(context: CommandContext): Promise<ExitCode> {
  const { json, write, writeJson } = context;
  const [id = ""] = positionalsOf(context, "the id of a task");
  const task = await (await context.agent()).cancel(id);
  const state = task.status.state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  if (json) writeJson({ task_id: id, state });
  else write(`${state}\n`);
  return state === "canceled" ? EXIT.ok : EXIT.failed;
}

/** A time of the API in this machine's time zone. */
export function timeOf(iso: string): string {
  const at = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
