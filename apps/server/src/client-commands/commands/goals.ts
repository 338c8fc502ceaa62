import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import type { ExitCode } from "../exit-code.ts";
import { clearGoal, listGoals, rearmGoal, resumeGoal, setGoal, showGoal, showTimeline } from "../goals/index.ts";

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  ...{ list: listGoals, show: showGoal, set: setGoal, timeline: showTimeline },
  ...{ resume: resumeGoal, rearm: rearmGoal, clear: clearGoal },
});

const TEXTS = [
  ...["verifier", "check", "check-args", "test", "command", "project"],
  ...["max-iterations", "no-progress-limit", "outcome", "stop-when"],
];
const LISTS = ["pin", "constraint", "boundary"];
const SWITCHES = ["fresh", "no-kick"];
/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  list: ["limit", "status"],
  timeline: ["limit"],
  set: [...TEXTS, ...LISTS, ...SWITCHES],
  rearm: ["add"],
  clear: ["close-tasks"],
};

/** `agent-service goals`. */
export const goalsCommand: ClientCommand = {
  name: "goals",
  order: 93,
  summary: "Goals: conditions that the agent works towards by itself, until a check says that they hold",
  usage: `agent-service goals [list]
agent-service goals show <session>             its contract, plan and last verdict, and what it waits for
agent-service goals set <session> <condition>  in the place of the one it has; the agent begins to work
agent-service goals timeline <session>         turns, verdicts with their evidence, and cost
agent-service goals resume <session>           goes on with one that is paused
agent-service goals rearm <session>            takes up one that has ended; with --add, more iterations
agent-service goals clear <session>            removes it, and cancels the turn that works on it

How it is checked; a model judges unless one of these is given:
  --test <command>      tests that pass, and of which there are some
  --command <command>   a program that ends with 0
  --check <name>        a verifier, such as core:board, with --check-args <json>
  --verifier <json>     any other check
  --pin <path>          a file that must not change; may be repeated
  --project <name>      whose folder is checked

With set:
  --max-iterations <number>     verdicts until it is given up as exhausted
  --no-progress-limit <number>  equal verdicts in a row until it is given up as unachievable
  --outcome <text>      what the result looks like
  --constraint <text>   what is to be kept to; may be repeated
  --boundary <text>     what is not to be touched; may be repeated
  --stop-when <text>    when to give up; a model judges it
  --fresh               a turn sees the answer before it, not the whole conversation
  --no-kick             do not begin yet

  --add <number>        with rearm: more iterations
  --close-tasks         with clear: close the open issues of the session first
  --status <status>     with list: active, met, exhausted, unachievable
  --limit <number>      at most so many; 20 unless said otherwise
`,
  options: {
    ...Object.fromEntries(
      [...TEXTS, "limit", "status", "add"].map((name) => [name, { type: "string" } as const] as const),
    ),
    ...Object.fromEntries(LISTS.map((name) => [name, { type: "string", multiple: true } as const] as const)),
    ...Object.fromEntries([...SWITCHES, "close-tasks"].map((name) => [name, { type: "boolean" } as const] as const)),
  },
  async run(context) {
    const [verb = "list"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined) throw usage(`goals takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    const given = [...new Set(Object.values(FLAGS).flat())].find(
      (name) => FLAGS[verb]?.includes(name) !== true && context.flags[name] !== undefined,
    );
    if (given !== undefined) throw usage(`goals ${verb} takes no --${given}`);
    return known(context);
  },
};
