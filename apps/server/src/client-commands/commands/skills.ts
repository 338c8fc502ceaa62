import { readFile } from "node:fs/promises";
import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns, facts } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  list: [],
  show: ["version"],
  edit: ["description", "body", "slash", "reason"],
  versions: ["restore"],
  promote: [],
};

/** `agent-service skills`. */
export const skillsCommand: ClientCommand = {
  name: "skills",
  order: 86,
  summary: "Skills: instructions for kinds of work, and their versions",
  usage: `agent-service skills [list]
agent-service skills show <name>        what it says
agent-service skills edit <name>        changes it, or makes it where there is none
agent-service skills versions <name>    its versions, the newest first
agent-service skills promote <name>     copies it into the commons of this machine

  --body <file>          with edit: what it says; - reads standard input
  --description <text>   with edit: what it is for, and when to use it
  --slash <command>      with edit: makes it a slash command
  --reason <text>        with edit: kept with the version
  --version <number>     with show: an earlier version
  --restore <number>     with versions: makes that one the newest
`,
  options: {
    body: { type: "string" },
    description: { type: "string" },
    slash: { type: "string" },
    reason: { type: "string" },
    version: { type: "string" },
    restore: { type: "string" },
  },
  async run(context) {
    const [verb = "list"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined) throw usage(`skills takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    const given = Object.values(FLAGS)
      .flat()
      .find((name) => FLAGS[verb]?.includes(name) !== true && textFlag(context.flags, name) !== undefined);
    if (given !== undefined) throw usage(`skills ${verb} takes no --${given}`);
    return known(context);
  },
};

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  list: listSkills,
  show: showSkill,
  edit: editSkill,
  versions: showVersions,
  promote: promoteSkill,
});

async function listSkills({ api, io, json, note, positionals, write, writeJson }: CommandContext): Promise<ExitCode> {
  refuseArguments("skills list", positionals.slice(1));
  let enabled = true;
  const { rows } = await allPages(
    (cursor) => api.get("/api/playbooks", { query: { limit: 1_000, cursor } }),
    (page) => {
      enabled = page.enabled;
      return page.playbooks;
    },
    10_000,
  );
  if (json) {
    writeJson({ enabled, playbooks: rows });
    return EXIT.ok;
  }
  if (!enabled) note("Skills are switched off: agent-service config set skills.enabled=true turns them on.\n");
  else if (rows.length === 0) note("There are no skills.\n");
  else {
    const cells = rows.map((row) => [
      ...[row.name, row.origin, row.slash === "" ? "" : `/${row.slash}`, String(row.uses)],
      row.fault === null ? row.description : `broken: ${row.fault}`,
    ]);
    write(columns(["SKILL", "FROM", "COMMAND", "USES", "FOR"], cells, io.stdout));
  }
  return EXIT.ok;
}

async function showSkill(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a skill");
  const params = { skill_id: name };
  const version = textFlag(flags, "version");
  if (version !== undefined) {
    const { versions } = await api.get("/api/playbooks/{skill_id}/versions", { params, query: { version } });
    if (json) writeJson(versions[0]);
    else write(`${clean(versions[0]?.text ?? "It was deleted.")}\n`);
    return EXIT.ok;
  }
  const { skill } = await api.get("/api/playbooks/{skill_id}", { params });
  if (json) {
    writeJson(skill);
    return EXIT.ok;
  }
  write(
    facts([
      ["skill", skill.name],
      ["from", skill.editable ? skill.origin : `${skill.origin}, cannot be changed`],
      ["for", skill.description],
      ...(skill.slash === "" ? [] : [["command", `/${skill.slash}`] as const]),
      ...(skill.user_only ? [["begun by", "you alone"] as const] : []),
      ...(skill.tools_used.length === 0 ? [] : [["tools", skill.tools_used.join(", ")] as const]),
      ...(skill.fault === null ? [] : [["broken", skill.fault] as const]),
      ...(skill.files.length === 0 ? [] : [["files", skill.files.map(({ path }) => path).join(", ")] as const]),
    ]),
  );
  write(`\n${clean(skill.fault === null ? skill.prompt_template : skill.text)}\n`);
  return EXIT.ok;
}

async function editSkill(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a skill");
  const file = textFlag(flags, "body");
  const description = textFlag(flags, "description");
  const slash = textFlag(flags, "slash");
  if (file === undefined && description === undefined && slash === undefined)
    throw usage("edit needs --body, --description or --slash");
  const body = {
    ...(file !== undefined && { prompt_template: await textOf(context, file) }),
    ...(description !== undefined && { description }),
    ...(slash !== undefined && { slash, user_facing: slash !== "" }),
    reason: textFlag(flags, "reason") ?? "",
  };
  const { playbooks } = await api.get("/api/playbooks", { query: { limit: 1_000 } });
  const isKnown = playbooks.some((one) => one.name === name);
  const { skill } = isKnown
    ? await api.put("/api/playbooks/{skill_id}", { params: { skill_id: name }, body })
    : await api.post("/api/playbooks", { body: { name, ...body } });
  if (json) writeJson(skill);
  else write(`${isKnown ? "Changed" : "Made"} ${skill.name}\n`);
  return EXIT.ok;
}

async function showVersions(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a skill");
  const params = { skill_id: name };
  const restore = textFlag(flags, "restore");
  if (restore !== undefined) {
    if (!/^[1-9]\d{0,8}$/.test(restore)) throw usage("--restore takes the number of a version");
    const { skill } = await api.post("/api/playbooks/{skill_id}/restore", {
      params,
      body: { version: Number(restore) },
    });
    if (json) writeJson(skill);
    else write(`${skill.name} says again what version ${restore} says\n`);
    return EXIT.ok;
  }
  const { versions } = await api.get("/api/playbooks/{skill_id}/versions", { params });
  if (json) writeJson({ versions });
  else if (versions.length === 0) note("It was never changed here.\n");
  else {
    const cells = versions.map(({ version, at, author, chars, reason }) => [
      ...[String(version), timeOf(at), author, chars === null ? "deleted" : `${chars} characters`, reason],
    ]);
    write(columns(["VERSION", "AT", "BY", "SIZE", "WHY"], cells, io.stdout));
  }
  return EXIT.ok;
}

async function promoteSkill(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a skill");
  const done = await api.post("/api/playbooks/{skill_id}/promote", { params: { skill_id: name } });
  if (json) writeJson(done);
  else write(`${done.name} is in the commons\n`);
  return EXIT.ok;
}

async function textOf({ io }: CommandContext, file: string): Promise<string> {
  if (file === "-") {
    const text = await io.piped?.();
    if (text === undefined) throw usage("--body - reads standard input, which is a terminal");
    return text;
  }
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
}
