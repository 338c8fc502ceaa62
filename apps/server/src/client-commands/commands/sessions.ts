import { allPages } from "../all-pages.ts";
import type { ClientCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { limitFlag, refuseArguments, textFlag } from "../flag-values.ts";
import { columns } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

export const sessionsCommand: ClientCommand = {
  name: "sessions",
  order: 60,
  summary: "The conversations, last changed first",
  usage: `agent-service sessions

  --search <text>    in titles and in messages to the agent
  --limit <number>   how many; default 20
`,
  options: { search: { type: "string" }, limit: { type: "string" } },
  async run({ api, flags, io, json, positionals, write, writeJson, note }) {
    refuseArguments("sessions", positionals[0] === "list" ? positionals.slice(1) : positionals);
    const most = limitFlag(flags);
    const query = { limit: Math.min(200, most), search: textFlag(flags, "search") };
    const { rows, more } = await allPages(
      (cursor) => api.get("/api/chat/sessions", { query: { ...query, cursor } }),
      ({ sessions }) => sessions,
      most,
    );
    if (json) writeJson({ sessions: rows, more });
    else if (rows.length === 0) note("There are no such sessions.\n");
    else {
      const cells = rows.map((row) => [
        row.session_id,
        row.active ? "active" : row.last_state,
        String(row.turn_count),
        timeOf(row.last_updated),
        row.incognito ? "(incognito)" : row.title,
      ]);
      write(columns(["SESSION", "STATE", "TURNS", "CHANGED", "TITLE"], cells, io.stdout));
    }
    if (more) note(`There are more: --limit ${most * 2}\n`);
    return EXIT.ok;
  },
};
