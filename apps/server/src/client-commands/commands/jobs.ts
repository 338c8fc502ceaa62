import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns, facts } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

export const jobsCommand: ClientCommand = {
  name: "jobs",
  order: 90,
  summary: "Background jobs and their reports",
  usage: `agent-service jobs [list]
agent-service jobs show <id>      one job, with its report
agent-service jobs cancel <id>

  --session <id>     of this session alone
  --limit <number>   how many; default 20
`,
  options: { session: { type: "string" }, limit: { type: "string" } },
  run(context) {
    const [verb = "list"] = context.positionals;
    if (verb === "list") return listJobs(context);
    if (verb === "show") return showJob(context);
    if (verb === "cancel") return cancelJob(context);
    throw usage(`jobs takes list, show or cancel, not ${JSON.stringify(verb)}`);
  },
};

async function listJobs({
  api,
  flags,
  io,
  json,
  positionals,
  write,
  writeJson,
  note,
}: CommandContext): Promise<ExitCode> {
  refuseArguments("jobs list", positionals.slice(1));
  const most = limitFlag(flags);
  const query = { limit: Math.min(200, most), session: textFlag(flags, "session") };
  const { rows, more } = await allPages(
    (cursor) => api.get("/api/background", { query: { ...query, cursor } }),
    ({ jobs }) => jobs,
    most,
  );
  if (json) writeJson({ jobs: rows, more });
  else if (rows.length === 0) note("There are no such jobs.\n");
  else {
    const cells = rows.map((row) => [
      row.id,
      row.status,
      row.subagent_type,
      timeOf(row.created_at),
      row.result === null ? row.description : `${row.description}: ${row.result}`,
    ]);
    write(columns(["JOB", "STATUS", "ROLE", "CREATED", "WORK"], cells, io.stdout));
  }
  if (more) note(`There are more: --limit ${most * 2}\n`);
  return EXIT.ok;
}

async function showJob(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [id = ""] = positionalsOf(context, "the id of a job");
  const job = await api.get("/api/background/{job_id}", { params: { job_id: id } });
  if (json) {
    writeJson(job);
    return EXIT.ok;
  }
  write(
    facts([
      ["job", `${job.id}: ${job.description}`],
      ["status", job.status],
      ["role", job.subagent_type],
      ["session", job.origin_session],
      ["task", job.a2a_task_id ?? "waits for a free slot"],
      ["report", job.notified ? "read by the session" : "not read yet"],
    ]),
  );
  if (job.result !== null) write(`\n${clean(job.result)}\n`);
  return EXIT.ok;
}

async function cancelJob(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [id = ""] = positionalsOf(context, "the id of a job");
  const done = await api.post("/api/background/{job_id}/cancel", { params: { job_id: id } });
  if (json) writeJson(done);
  else write(`${clean(done.detail)}\n`);
  return done.ok ? EXIT.ok : EXIT.failed;
}
