/** The forms of `agent-service schedules` that read. */
import type { ScheduledJobRow, SlotRunRow } from "@agent-service/operator-api";
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { timeOf } from "../commands/tasks.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns, facts, oneLine } from "../terminal-text.ts";

const DAY_MS = 86_400_000;

function timeOrDash(at: string | null): string {
  return at === null ? "-" : timeOf(at);
}

/** What keeps a job from running, or that it runs. */
function stateOf({ enabled, pause_reason, overdue, kind, last_run }: ScheduledJobRow): string {
  if (overdue) return "overdue";
  if (last_run?.state === "running") return "running";
  if (enabled) return "on";
  if (pause_reason !== null) return pause_reason;
  return kind === "once" && last_run !== null ? "over" : "paused";
}

export async function listJobs({
  api,
  flags,
  io,
  json,
  positionals,
  write,
  writeJson,
  note,
}: CommandContext): Promise<ExitCode> {
  refuseArguments("schedules list", positionals.slice(1));
  const limit = limitFlag(flags);
  let enabled = true;
  const { rows, more } = await allPages(
    async (cursor) => {
      const page = await api.get("/api/scheduler/jobs", { query: { limit: Math.min(500, limit), cursor } });
      enabled = page.enabled;
      return page;
    },
    ({ jobs }) => jobs,
    limit,
  );
  if (json) writeJson({ enabled, jobs: rows, more });
  else if (rows.length === 0) note("Nothing is scheduled.\n");
  else {
    const cells = rows.map((job) => [
      ...[job.id, stateOf(job), `${job.words} (${job.timezone})`, timeOrDash(job.next_fire)],
      ...[job.last_run?.state ?? "-", oneLine(job.prompt, 60)],
    ]);
    write(columns(["JOB", "STATE", "WHEN", "NEXT", "LAST", "PROMPT"], cells, io.stdout));
  }
  if (!enabled) note("Schedules are switched off: middleware.scheduler\n");
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}

export async function showJob(context: CommandContext): Promise<ExitCode> {
  const { api, json, writeJson } = context;
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  const { job } = await api.get("/api/scheduler/jobs/{job_id}", { params: { job_id } });
  if (json) writeJson({ job });
  else writeJob(context, job);
  return EXIT.ok;
}

/** A job for people. */
export function writeJob({ write }: Pick<CommandContext, "write">, job: ScheduledJobRow): void {
  const { last_run: last } = job;
  write(
    facts([
      ["job", `${job.id} (${stateOf(job)})`],
      ["when", `${job.words} (${job.timezone}): ${job.schedule}`],
      ["next", timeOrDash(job.next_fire)],
      last === null ? undefined : ["last", lineOfRun(last)],
      ["session", `${job.context_id}${job.fresh ? ", each run afresh" : ""}`],
      ["overlap", `${job.overlap}, ${job.retries} further tries, ${job.catch_up_s} s late at most`],
      job.only_if === null ? undefined : ["check", JSON.stringify(job.only_if)],
      ["by", job.created_by],
    ]),
  );
  write(`\n${clean(job.prompt)}\n`);
}

function lineOfRun({ state, reason, slot, task_id }: SlotRunRow): string {
  return `${state}${reason === null ? "" : ` (${reason})`}, ${timeOf(slot)}${task_id === null ? "" : `, task ${task_id}`}`;
}

export async function showRuns(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, write, writeJson } = context;
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  const limit = limitFlag(flags);
  const { rows, more } = await allPages(
    (cursor) =>
      api.get("/api/scheduler/jobs/{job_id}/runs", {
        params: { job_id },
        query: { limit: Math.min(200, limit), cursor },
      }),
    ({ runs }) => runs,
    limit,
  );
  if (json) writeJson({ runs: rows, more });
  else if (rows.length === 0) note("No slot has come yet.\n");
  else {
    const cells = rows.map((run) => [
      ...[timeOf(run.slot), String(run.attempt), run.state],
      ...[missedOf(run), run.task_id ?? "-", run.reason ?? ""],
    ]);
    write(columns(["SLOT", "ATTEMPT", "STATE", "MISSED", "TASK", "REASON"], cells, io.stdout));
  }
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}

function missedOf({ missed, upto }: SlotRunRow): string {
  if (missed === null) return "-";
  return missed === 1 ? "1" : `${missed} until ${timeOrDash(upto)}`;
}

export async function previewJob(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [schedule = ""] = positionalsOf(context, "a schedule");
  const timezone = textFlag(flags, "timezone");
  const found = await api.get("/api/scheduler/preview", { query: { schedule, timezone } });
  if (json) writeJson(found);
  else {
    write(`${clean(found.words)} (${clean(timezone ?? "UTC")})\n`);
    for (const at of found.next) write(`${localTime(at, timezone ?? "UTC")}  ${at}\n`);
    for (const { text } of found.notes) write(`${clean(text)}\n`);
  }
  return EXIT.ok;
}

/** As a clock on the wall of the zone shows it. */
function localTime(at: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, weekday: "short", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  });
  return shown.format(new Date(at));
}

export async function showCalendar({
  api,
  flags,
  io,
  json,
  positionals,
  write,
  writeJson,
  note,
}: CommandContext): Promise<ExitCode> {
  refuseArguments("schedules calendar", positionals.slice(1));
  const text = textFlag(flags, "days") ?? "7";
  const days = Number(text);
  if (!/^\d{1,2}$/.test(text) || days < 1 || days > 92) throw usage("--days takes a number from 1 to 92");
  const from = new Date();
  const to = new Date(from.getTime() + days * DAY_MS);
  const query = { from: from.toISOString(), to: to.toISOString() };
  const found = await api.get("/api/scheduler/calendar", { query });
  if (json) writeJson(found);
  else if (found.entries.length === 0) note("Nothing is due.\n");
  else {
    const cells = found.entries.map(({ at, job_id, count }) => [timeOf(at), job_id, String(count)]);
    write(columns(["AT", "JOB", "TIMES"], cells, io.stdout));
  }
  if (found.truncated) note("There is more than is shown.\n");
  return EXIT.ok;
}
