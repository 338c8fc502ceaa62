import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, positionalsOf, textFlag } from "../flag-values.ts";
import { columns } from "../terminal-text.ts";

const PARTS = ["tool_arguments", "tool_results", "reasoning", "persona"] as const;
type Part = (typeof PARTS)[number];

/** `agent-service shares`. */
export const sharesCommand: ClientCommand = {
  name: "shares",
  order: 200,
  summary: "Read-only pages of conversations and runs behind links",
  usage: `agent-service shares [list]
agent-service shares add <id>
agent-service shares remove <share>

  --of <what>          what the id of add names: session (default) or task, for a single run
  --expires <span>     30m, 12h, 7d; at most 30d; default 7d
  --include <parts>    ${PARTS.join(", ")}; joined by commas; default none
`,
  options: { of: { type: "string" }, expires: { type: "string" }, include: { type: "string" } },
  async run(context) {
    const [verb = "list"] = context.positionals;
    if (verb === "list") {
      if (context.positionals.length > 0) positionalsOf(context);
      return listShares(context);
    }
    if (verb === "add") return addShare(context, positionalsOf(context, "the id of a session or a task")[0] ?? "");
    if (verb === "remove") return removeShare(context, positionalsOf(context, "the id of a share")[0] ?? "");
    throw usage(`shares takes list, add or remove, not ${JSON.stringify(verb)}`);
  },
};

async function listShares({ api, io, json, write, writeJson, note }: CommandContext): Promise<ExitCode> {
  const { state, shares } = await api.get("/api/shares");
  const cells = shares.map(({ id, expires_at: expires, task_id: task, title }) => {
    return [id, expires, task === null ? "session" : "run", title];
  });
  if (json) writeJson({ state, shares });
  else if (shares.length === 0) note("Nothing is shared.\n");
  else write(columns(["SHARE", "EXPIRES", "OF", "TITLE"], cells, io.stdout));
  if (state === "switched_off") note("Sharing is switched off: set shares.enabled.\n");
  if (state === "no_token") note("Sharing needs a token on the service; no page is shown without one.\n");
  return EXIT.ok;
}

async function addShare({ api, flags, json, write, writeJson, note }: CommandContext, id: string): Promise<ExitCode> {
  const of = choiceFlag(flags, "of", ["session", "task"]) ?? "session";
  const share = await api.post("/api/shares", {
    body: {
      ...(of === "session" ? { session_id: id } : { task_id: id }),
      expires_in_s: secondsOf(textFlag(flags, "expires") ?? "7d"),
      include: Object.fromEntries(partsOf(textFlag(flags, "include") ?? "").map((part) => [part, true])),
    },
  });
  if (json) writeJson(share);
  else write(`${share.url}\n`);
  note(`Whoever has this link reads it without a token, until ${share.expires_at}. It is not shown again.\n`);
  note(`Withdraw it: agent-service shares remove ${share.id}\n`);
  return EXIT.ok;
}

async function removeShare({ api, json, write, writeJson }: CommandContext, id: string): Promise<ExitCode> {
  const removed = await api.delete("/api/shares/{id}", { params: { id } });
  if (json) writeJson(removed);
  else write("The link leads nowhere now.\n");
  return EXIT.ok;
}

const UNITS: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3_600, d: 86_400 };

function secondsOf(text: string): number {
  const [, number, unit = ""] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (number !== undefined && seconds >= 60 && seconds <= 30 * 86_400) return seconds;
  throw usage(`--expires takes 1m to 30d, such as 12h, not ${JSON.stringify(text)}`);
}

function partsOf(text: string): readonly Part[] {
  const given = text === "" ? [] : text.split(",").map((one) => one.trim().replaceAll("-", "_"));
  const wrong = given.find((one) => !PARTS.some((part) => part === one));
  if (wrong !== undefined) throw usage(`--include takes ${PARTS.join(", ")}, not ${JSON.stringify(wrong)}`);
  return given as readonly Part[];
}
