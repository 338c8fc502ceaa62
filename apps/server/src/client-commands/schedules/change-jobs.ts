/** The forms of `agent-service schedules` that change. */
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, numberFlag, objectFlag, positionalsOf, textFlag, yesFlag } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";
import { writeJob } from "./show-jobs.ts";

export async function addJob(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, writeJson } = context;
  const [schedule = "", prompt = ""] = positionalsOf(context, "a schedule", "a prompt");
  const where = { job_id: textFlag(flags, "id"), context_id: textFlag(flags, "session") };
  const body = { schedule, prompt, ...where, ...policiesOf(context) };
  const { job } = await api.post("/api/scheduler/jobs", { body });
  if (json) writeJson({ job });
  else writeJob(context, job);
  return EXIT.ok;
}

export async function editJob(context: CommandContext): Promise<ExitCode> {
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  const { flags } = context;
  const texts = { schedule: textFlag(flags, "schedule"), prompt: textFlag(flags, "prompt") };
  const body = { ...texts, ...policiesOf(context) };
  if (Object.values(body).every((value) => value === undefined)) throw usage("schedules edit needs what to change");
  return put(context, job_id, body);
}

export async function pauseJob(context: CommandContext): Promise<ExitCode> {
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  return put(context, job_id, { enabled: false });
}

export async function resumeJob(context: CommandContext): Promise<ExitCode> {
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  return put(context, job_id, { enabled: true });
}

async function put(
  context: CommandContext,
  job_id: string,
  body: Partial<ReturnType<typeof policiesOf>> & {
    schedule?: string | undefined;
    prompt?: string | undefined;
    enabled?: boolean;
  },
): Promise<ExitCode> {
  const { api, json, writeJson } = context;
  const { job } = await api.put("/api/scheduler/jobs/{job_id}", { params: { job_id }, body });
  if (json) writeJson({ job });
  else writeJob(context, job);
  return EXIT.ok;
}

export async function runJob(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  const { run } = await api.post("/api/scheduler/jobs/{job_id}/run", { params: { job_id } });
  if (json) writeJson({ run });
  else write(run.task_id === null ? "It is sent to the other service\n" : `Task ${clean(run.task_id)} runs\n`);
  return EXIT.ok;
}

export async function cancelJob(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [job_id = ""] = positionalsOf(context, "the id of a job");
  const done = await api.delete("/api/scheduler/jobs/{job_id}", { params: { job_id } });
  if (json) writeJson(done);
  else write(`Removed ${clean(job_id)}\n`);
  return EXIT.ok;
}

function policiesOf({ flags }: Pick<CommandContext, "flags">) {
  return {
    timezone: textFlag(flags, "timezone"),
    overlap: choiceFlag(flags, "overlap", ["skip", "queue", "allow"]),
    catch_up_s: numberFlag(flags, "catch-up"),
    jitter_s: numberFlag(flags, "jitter"),
    retries: numberFlag(flags, "retries"),
    fresh: yesFlag(flags, "fresh"),
    only_if: objectFlag(flags, "check"),
  };
}
