import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag } from "../flag-values.ts";
import { columns } from "../terminal-text.ts";

/** `agent-service example-note`. */
export const exampleNoteCommand: ClientCommand = {
  name: "example-note",
  order: 200,
  summary: "Entries that the agent and operators add",
  usage: `agent-service example-note [list]
agent-service example-note add <text>

  --limit <number>   how many; default 20
`,
  options: { limit: { type: "string" } },
  run(context) {
    const [verb = "list", ...text] = context.positionals;
    if (verb === "list") return listEntries(context);
    if (verb === "add" && text.length > 0) return addEntry(context, text.join(" "));
    throw usage("example-note takes list, or add with a text");
  },
};

async function listEntries({ api, flags, io, json, write, writeJson, note }: CommandContext): Promise<ExitCode> {
  const most = limitFlag(flags);
  const { rows, more } = await allPages(
    (cursor) => api.get("/api/example-note", { query: { limit: Math.min(200, most), cursor } }),
    ({ entries }) => entries,
    most,
  );
  const cells = rows.map((row) => [String(row.id), row.created_at, row.text]);
  if (json) writeJson({ entries: rows });
  else if (rows.length === 0) note("There are no entries.\n");
  else write(columns(["ENTRY", "CREATED", "TEXT"], cells, io.stdout));
  if (more) note(`There are more: --limit ${most * 2}\n`);
  return EXIT.ok;
}

async function addEntry({ api, json, write, writeJson }: CommandContext, text: string): Promise<ExitCode> {
  const entry = await api.post("/api/example-note", { body: { text } });
  if (json) writeJson(entry);
  else write(`Added as entry ${entry.id}.\n`);
  return EXIT.ok;
}
