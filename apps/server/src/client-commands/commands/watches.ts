import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import type { ExitCode } from "../exit-code.ts";
import { addWatch, checkWatch, clearWatch, editWatch, listWatches, showFires, showWatch } from "../watches/index.ts";

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  ...{ list: listWatches, show: showWatch, add: addWatch, edit: editWatch, check: checkWatch },
  ...{ fires: showFires, clear: clearWatch },
});

const CHANGES = [
  ...["check", "args", "verifier", "project", "prompt"],
  ...["interval", "expires", "deadline", "stall", "repeat", "on-change"],
];
/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  list: ["limit"],
  fires: ["limit"],
  add: [...CHANGES, "id", "session"],
  edit: [...CHANGES, "condition"],
};

/** `agent-service watches`. */
export const watchesCommand: ClientCommand = {
  name: "watches",
  order: 92,
  summary: "Watches: conditions that are checked again and again, and what they found",
  usage: `agent-service watches [list]
agent-service watches show <id>        with what its last check found
agent-service watches add <condition>  --check and --args say how it is checked
agent-service watches edit <id>        changes what is given
agent-service watches check <id>       now
agent-service watches fires <id>       when it fired, and what followed
agent-service watches clear <id>       removes it

  --check <name>        a verifier, such as core:url
  --args <json>         its arguments
  --verifier <json>     in the place of --check: a check without a name
  --project <name>      whose folder is checked
  --prompt <text>       what a turn begins with when it fires; without it, a message
  --id <id>             with add: its id; made of the condition unless given
  --session <id>        with add: the conversation of its turns and messages
  --condition <text>    with edit
  --interval <seconds>  slower than watches.interval
  --expires <seconds>   how long it is watched
  --deadline <time>     the same, as a time
  --stall <number>      unchanged checks until that is reported
  --repeat <yes or no>  fires each time it becomes true
  --on-change <yes or no>  fires when what is checked changes
  --limit <number>      at most so many; 20 unless said otherwise

With edit, none takes --prompt, --interval, --expires, --deadline and --stall away.
`,
  options: Object.fromEntries(
    [...new Set(Object.values(FLAGS).flat())].map((name) => [name, { type: "string" } as const]),
  ),
  async run(context) {
    const [verb = "list"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined) throw usage(`watches takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    const given = [...new Set(Object.values(FLAGS).flat())].find(
      (name) => FLAGS[verb]?.includes(name) !== true && context.flags[name] !== undefined,
    );
    if (given !== undefined) throw usage(`watches ${verb} takes no --${given}`);
    return known(context);
  },
};
