/** The forms of `agent-service goals` that change. */
import type { CommandContext, FlagValues } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { numberFlag, objectFlag, positionalsOf, textFlag, textFlags } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";
import { writeGoal } from "./show-goals.ts";

export async function setGoal(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, positionals, note, writeJson } = context;
  const [session_id, ...words] = positionals.slice(1);
  if (session_id === undefined) throw usage("goals set needs a session");
  const condition = words.join(" ");
  if (condition.trim() === "") throw usage("goals set needs a condition: what is to hold, in words");
  const done = await api.post("/api/goals", {
    body: {
      ...{ session_id, condition, verifier: verifierOf(flags), project: textFlag(flags, "project") },
      max_iterations: numberFlag(flags, "max-iterations"),
      no_progress_limit: numberFlag(flags, "no-progress-limit"),
      ...{ outcome: textFlag(flags, "outcome"), stop_when: textFlag(flags, "stop-when") },
      ...{ constraints: several(flags, "constraint"), boundaries: several(flags, "boundary") },
      fresh_context: flags.fresh === true ? true : undefined,
      kick: flags["no-kick"] === true ? false : undefined,
    },
  });
  if (json) writeJson(done);
  else {
    note(`${clean(done.message)}\n`);
    writeGoal(context, done.goal);
  }
  return EXIT.ok;
}

function several(flags: FlagValues, name: string): string[] | undefined {
  const texts = textFlags(flags, name);
  return texts.length === 0 ? undefined : [...texts];
}

const WAYS = ["verifier", "check", "test", "command"] as const;

/** The check that flags name; undefined: none, so that a model judges. */
export function verifierOf(flags: FlagValues): { [key: string]: unknown } | undefined {
  const given = WAYS.filter((name) => flags[name] !== undefined);
  if (given.length > 1) throw usage(`one check is enough: --${given[0]}, or --${given[1]}`);
  const args = objectFlag(flags, "check-args");
  if (args === null) throw usage("--check-args takes a JSON object");
  if (args !== undefined && given[0] !== "check") throw usage("--check-args takes --check beside it");
  const pins = textFlags(flags, "pin");
  if (pins.length === 0) return withoutPins(flags, given[0], args);
  const verifier = withoutPins(flags, given[0], args);
  if (!["command", "test", "data"].includes(String(verifier?.type)))
    throw usage("--pin takes --test, --command, or a --verifier of type data beside it");
  if (verifier?.pin !== undefined) throw usage("--pin, or pin in --verifier, not both");
  return { ...verifier, pin: [...pins] };
}

function withoutPins(
  flags: FlagValues,
  way: (typeof WAYS)[number] | undefined,
  args: { [key: string]: unknown } | undefined,
): { [key: string]: unknown } | undefined {
  if (way === undefined) return undefined;
  if (way === "verifier") {
    const verifier = objectFlag(flags, "verifier");
    if (verifier === null) throw usage("--verifier takes a JSON object");
    return verifier;
  }
  const text = textFlag(flags, way) ?? "";
  if (text.trim() === "") throw usage(`--${way} takes ${way === "check" ? "the name of a verifier" : "a command"}`);
  if (way !== "check") return { type: way, command: text };
  return text === "llm" && args === undefined ? { type: "llm" } : { type: "plugin", check: text, args: args ?? {} };
}

export async function clearGoal(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, note, writeJson } = context;
  const [session_id = ""] = positionalsOf(context, "a session");
  const query = flags["close-tasks"] === true ? { close_tasks: true } : {};
  const done = await api.delete("/api/goals/{session_id}", { params: { session_id }, query });
  if (json) writeJson(done);
  else {
    if (done.cleared) write(`Removed the goal of ${clean(session_id)}\n`);
    else note(`${clean(session_id)} has no goal\n`);
    if (done.tasks_closed > 0)
      write(`${done.tasks_closed} ${done.tasks_closed === 1 ? "issue" : "issues"} of it closed\n`);
  }
  return EXIT.ok;
}

export async function rearmGoal(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, note, writeJson } = context;
  const [session_id = ""] = positionalsOf(context, "a session");
  const body = { add_iterations: numberFlag(flags, "add") };
  const done = await api.post("/api/goals/{session_id}/rearm", { params: { session_id }, body });
  if (json) writeJson(done);
  else {
    note(`${clean(done.message)}\n`);
    writeGoal(context, done.goal);
  }
  return EXIT.ok;
}

export async function resumeGoal(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [session_id = ""] = positionalsOf(context, "a session");
  const done = await api.post("/api/goals/{session_id}/resume", { params: { session_id } });
  if (json) writeJson(done);
  else write(done.kicked ? "It goes on\n" : "It is being worked on already\n");
  return EXIT.ok;
}
