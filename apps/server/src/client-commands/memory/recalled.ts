/** `agent-service memory why` and `preview` (K20). */
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../command.ts";
import { timeOf } from "../commands/tasks.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns } from "../terminal-text.ts";

interface Shown {
  readonly items: readonly { readonly chunk_id: number; readonly kind: string; readonly words: number | null }[];
  readonly left_out: readonly { readonly chunk_id: number; readonly reason: string }[];
}

export async function why({
  api,
  flags,
  io,
  json,
  note,
  positionals,
  write,
  writeJson,
}: CommandContext): Promise<ExitCode> {
  refuseArguments("memory why", positionals.slice(1));
  const limit = limitFlag(flags);
  const session_id = textFlag(flags, "session");
  const { rows, more } = await allPages(
    (cursor) => api.get("/api/memory/injections", { query: { session_id, limit: Math.min(500, limit), cursor } }),
    (page) => page.injections,
    limit,
  );
  if (json) writeJson({ injections: rows, more });
  else if (rows.length === 0) note("No turn was shown a memory.\n");
  else {
    const cells = rows.map((row) => [
      ...[timeOf(row.ts), row.session_id, row.task_id, row.mode, shownIn(row) || "-", leftOutOf(row) || "-"],
    ]);
    write(columns(["AT", "SESSION", "TASK", "SEARCH", "SHOWN", "LEFT OUT"], cells, io.stdout));
  }
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}

export async function previewRecall(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, note, write, writeJson } = context;
  const [message = ""] = positionalsOf(context, "a message");
  const body = { message, session_id: textFlag(flags, "session") };
  const { preview } = await api.post("/api/memory/preview", { body });
  if (json) writeJson({ preview });
  else if (preview === null || preview.text === "") note("It would be shown nothing.\n");
  else write(`${clean(preview.text)}\n`);
  if (!json && preview !== null && preview.left_out.length > 0) note(`Left out: ${leftOutOf(preview)}\n`);
  return EXIT.ok;
}

function shownIn({ items }: Shown): string {
  return items
    .map(({ chunk_id, kind, words }) => `#${chunk_id} ${kind === "always" ? "always" : `${words ?? 0} words`}`)
    .join(", ");
}

function leftOutOf({ left_out }: Shown): string {
  return left_out.map(({ chunk_id, reason }) => `#${chunk_id} ${reason.replace("_", " ")}`).join(", ");
}
