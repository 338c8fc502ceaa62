import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import type { ExitCode } from "../exit-code.ts";
import {
  addJob,
  cancelJob,
  editJob,
  listJobs,
  pauseJob,
  previewJob,
  resumeJob,
  runJob,
  showCalendar,
  showJob,
  showRuns,
} from "../schedules/index.ts";

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  ...{ list: listJobs, show: showJob, add: addJob, edit: editJob, run: runJob, pause: pauseJob, resume: resumeJob },
  ...{ runs: showRuns, preview: previewJob, calendar: showCalendar, cancel: cancelJob },
});

const POLICIES = ["timezone", "overlap", "catch-up", "jitter", "retries", "fresh"];
/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  list: ["limit"],
  runs: ["limit"],
  add: [...POLICIES, "id", "session", "check"],
  edit: [...POLICIES, "schedule", "prompt", "check"],
  preview: ["timezone"],
  calendar: ["days"],
};

/** `agent-service schedules`. */
export const schedulesCommand: ClientCommand = {
  name: "schedules",
  order: 91,
  summary: "Scheduled jobs: made, run, paused, and what became of each slot",
  usage: `agent-service schedules [list]
agent-service schedules show <id>
agent-service schedules add <schedule> <prompt>   five cron fields, or a datetime
agent-service schedules edit <id>                 changes what is given
agent-service schedules run <id>                  now, in a slot of its own
agent-service schedules pause <id>                what comes meanwhile is recorded
agent-service schedules resume <id>
agent-service schedules runs <id>                 what became of its slots
agent-service schedules preview <schedule>        in words, and the next ten times
agent-service schedules calendar                  when jobs run
agent-service schedules cancel <id>               removes it

  --timezone <name>     IANA name; default UTC
  --id <id>             with add: its id
  --session <id>        with add: the conversation of its turns
  --schedule <text>     with edit
  --prompt <text>       with edit
  --overlap <how>       skip, queue or allow, while a run is open
  --catch-up <seconds>  how late a slot may still run
  --jitter <seconds>    within which each slot is put off
  --retries <number>    of a slot whose turn failed
  --fresh <yes or no>   its turns see the answer before alone
  --check <json>        asked before each slot; null: none any more
  --days <number>       of the calendar; default 7
  --limit <number>      at most so many; 20 unless said otherwise
`,
  options: Object.fromEntries(
    [...new Set(Object.values(FLAGS).flat())].map((name) => [name, { type: "string" } as const]),
  ),
  async run(context) {
    const [verb = "list"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined)
      throw usage(`schedules takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    const given = [...new Set(Object.values(FLAGS).flat())].find(
      (name) => FLAGS[verb]?.includes(name) !== true && context.flags[name] !== undefined,
    );
    if (given !== undefined) throw usage(`schedules ${verb} takes no --${given}`);
    return known(context);
  },
};
