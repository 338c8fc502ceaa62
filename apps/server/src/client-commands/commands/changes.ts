import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { notShown, patchText } from "../diff-text.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

type Change = AnswerOf<Extract<OperatorDefinition, { readonly name: "changes.list" }>>["changes"][number];
type UndoneFile = AnswerOf<Extract<OperatorDefinition, { readonly name: "changes.undo" }>>["files"][number];

export const changesCommand: ClientCommand = {
  name: "changes",
  order: 85,
  summary: "What tools changed in files, and the way back",
  usage: `agent-service changes [list]            what was changed, newest first
agent-service changes undo [<id> …]     take back the changes named, or those of --task

  --session <id>     of this session
  --task <id>        of this turn, with what it delegated
  --project <name>   of this project
  --diff             what they came to, as a diff
  --limit <number>   how many are listed; default 20
  --preview          with undo: only say what would become of each file
  --yes              with undo: do it; without it nothing is changed
`,
  options: {
    session: { type: "string" },
    task: { type: "string" },
    project: { type: "string" },
    diff: { type: "boolean" },
    limit: { type: "string" },
    preview: { type: "boolean" },
    yes: { type: "boolean" },
  },
  run(context) {
    const [verb = "list"] = context.positionals;
    if (verb === "list") return context.flags.diff === true ? showDiff(context) : listChanges(context);
    if (verb === "undo") return undo(context);
    throw usage(`changes takes list or undo, not ${JSON.stringify(verb)}`);
  },
};

/** Which changes are meant: exactly one of the three. */
function queryOf({ flags, positionals }: CommandContext): { session_id?: string; task_id?: string; project?: string } {
  refuseArguments("changes list", positionals.slice(1));
  const [session, task, project] = ["session", "task", "project"].map((name) => textFlag(flags, name));
  const given = [session, task, project].filter((value) => value !== undefined);
  if (given.length !== 1) throw usage("changes takes one of --session, --task and --project");
  return {
    ...(session !== undefined && { session_id: session }),
    ...(task !== undefined && { task_id: task }),
    ...(project !== undefined && { project }),
  };
}

async function listChanges(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, write, writeJson, note } = context;
  const query = queryOf(context);
  const most = limitFlag(flags);
  const { rows, more } = await allPages(
    (cursor) => api.get("/api/changes", { query: { ...query, limit: Math.min(200, most), cursor } }),
    ({ changes }) => changes,
    most,
  );
  if (json) writeJson({ changes: rows, more });
  else if (rows.length === 0) note("Nothing was changed.\n");
  else write(columns(["CHANGE", "AT", "WHAT", "LINES", "FILE", "NOW"], rows.map(cellsOf), io.stdout));
  if (more) note(`There are more: --limit ${most * 2}\n`);
  return EXIT.ok;
}

function cellsOf(change: Change): string[] {
  const { id, created_at, op, origin, additions, deletions, project, path, state, current, reversible, uncertain } =
    change;
  const now = [
    state === "done" ? current : state,
    ...(reversible ? [] : ["cannot be undone"]),
    ...(uncertain ? ["perhaps by another"] : []),
  ];
  const what = origin === "tool" ? op : `${op} (${origin})`;
  return [id, timeOf(created_at), what, `+${additions} −${deletions}`, clean(`${project}: ${path}`), now.join(", ")];
}

async function showDiff(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, paint, write, writeJson } = context;
  const diff = await api.get("/api/changes/diff", { query: queryOf(context) });
  if (json) {
    writeJson(diff);
    return EXIT.ok;
  }
  if (diff.files.length === 0) note("Every file is as it was.\n");
  write(patchText(diff.patch, paint));
  for (const line of notShown(diff.files)) note(line);
  if (diff.truncated) note("There is more than is shown.\n");
  return EXIT.ok;
}

async function undo(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, positionals, write, writeJson, note } = context;
  const ids = positionals.slice(1);
  const task = textFlag(flags, "task");
  if ((ids.length === 0) === (task === undefined)) throw usage("changes undo takes the ids of changes, or --task");
  const preview = flags.preview === true || flags.yes !== true;
  const body = task === undefined ? { ids, preview } : { task_id: task, preview };
  const done = await api.post("/api/changes/undo", { body });
  if (json) writeJson({ ...done, preview });
  else if (done.files.length === 0) note("There is nothing to undo.\n");
  else write(columns(["FILE", preview ? "WOULD BE" : "IS"], done.files.map(resultOf), io.stdout));
  if (preview && flags.preview !== true) note("Nothing was changed: --yes does it.\n");
  const isWhole = done.files.every(({ result }) => result === "restored" || result === "removed");
  return isWhole ? EXIT.ok : EXIT.failed;
}

/** Why a file is left as it is. */
const REASONS: { readonly [reason: string]: string } = {
  changed: "it was changed since",
  missing: "it is not there any more",
  between: "something else changed it in between",
  undone: "it is undone already",
  pending: "its change has not ended",
  too_large: "it was too large to be kept",
  not_kept: "what was there before was not kept",
  secret: "it held a secret",
  history_off: "the history of files was off",
  expired: "the history of files was full",
  link: "it was a link",
};

function resultOf({ project, path, result, reason }: UndoneFile): string[] {
  const why = reason === undefined ? "" : `: ${REASONS[reason] ?? clean(reason)}`;
  return [clean(`${project}: ${path}`), `${result.replaceAll("_", " ")}${why}`];
}
