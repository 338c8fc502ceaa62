import { resolve } from "node:path";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { positionalsOf, textFlag } from "../flag-values.ts";
import { clean, facts } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

/** `agent-service handoff`. */
export const handoffCommand: ClientCommand = {
  name: "handoff",
  order: 87,
  summary: "Continues a conversation in an editor",
  usage: `agent-service handoff offer <session>     offers it for two minutes to an agent in an editor
agent-service handoff claim [folder]      takes the newest offer for this folder; default: where this is called.
                                          Exit code 1 where there is none

  --project <name>   with offer: to editors in its folder alone; default: in any
  --path <path>      with offer: a file of the project
  --line <number>    with offer: of the file
  --title <text>     with offer: for people
`,
  options: {
    project: { type: "string" },
    path: { type: "string" },
    line: { type: "string" },
    title: { type: "string" },
  },
  async run(context) {
    const [verb] = context.positionals;
    if (verb === "offer") return offer(context);
    if (verb === "claim") return claim(context);
    throw usage(
      verb === undefined ? "handoff takes offer or claim" : `handoff takes offer or claim, not ${JSON.stringify(verb)}`,
    );
  },
};

async function offer(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [session_id = ""] = positionalsOf(context, "the id of a session");
  const texts = { project: textFlag(flags, "project"), path: textFlag(flags, "path"), title: textFlag(flags, "title") };
  const line = lineOf(textFlag(flags, "line"));
  if (texts.path !== undefined && texts.project === undefined) throw usage("--path needs --project");
  const offered = await api.post("/api/editor/handoff", { body: { session_id, ...texts, line } });
  if (json) writeJson(offered);
  else write(`Offered until ${timeOf(offered.expires_at)} to editors in ${clean(offered.root ?? "any folder")}.\n`);
  return EXIT.ok;
}

function lineOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usage(`--line takes a number from 1, not ${JSON.stringify(text)}`);
  return Number(text);
}

async function claim(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, positionals, write, writeJson } = context;
  const [, folder = ".", extra] = positionals;
  if (extra !== undefined) throw usage(`there is one argument too many: ${JSON.stringify(extra)}`);
  for (const name of ["project", "path", "line", "title"])
    if (textFlag(context.flags, name) !== undefined) throw usage(`handoff claim takes no --${name}`);
  const handoff = await api.post("/api/editor/handoff/claim", { body: { cwd: resolve(folder) } });
  if (json) writeJson({ handoff: handoff ?? null });
  if (handoff === undefined) {
    note("Nothing is offered for this folder.\n");
    return EXIT.failed;
  }
  if (json) return EXIT.ok;
  const { session_id: session, project, path, line, title } = handoff;
  const file = path === null ? undefined : line === null ? path : `${path}:${line}`;
  write(
    facts([
      ["session", session],
      title === null ? undefined : ["title", title],
      project === null ? undefined : ["project", project],
      file === undefined ? undefined : ["file", file],
    ]),
  );
  note(`Continue it: agent-service chat --session ${clean(session)}\n`);
  return EXIT.ok;
}
