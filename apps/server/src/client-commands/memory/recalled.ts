/** `agent-service memory why`, `uses` and `preview` (K20). */
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../command.ts";
import { timeOf } from "../commands/tasks.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, memoryNumber, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns } from "../terminal-text.ts";

interface Shown {
  readonly in_sight?: readonly { readonly chunk_id: number }[];
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

const HOW = { shown: "shown", in_sight: "in sight", read: "read by a tool" } as const;

/** Which turns saw a memory, and what they did then. */
export async function uses(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, write, writeJson } = context;
  const [given = ""] = positionalsOf(context, "the number of a memory");
  const params = { chunk_id: String(memoryNumber(given)) };
  const limit = limitFlag(flags);
  const { rows, more } = await allPages(
    (cursor) =>
      api.get("/api/knowledge/chunks/{chunk_id}/uses", { params, query: { limit: Math.min(500, limit), cursor } }),
    (page) => page.uses,
    limit,
  );
  if (json) writeJson({ uses: rows, more });
  else if (rows.length === 0) note("No turn saw it.\n");
  else {
    const cells = rows.map(({ at, session_id, task_id, how, effects }) => [
      ...[timeOf(at), session_id, task_id, HOW[how], effects.join(" ") || "-"],
    ]);
    write(columns(["AT", "SESSION", "TASK", "HOW", "DID THEN"], cells, io.stdout));
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

function shownIn({ items, in_sight = [] }: Shown): string {
  return [
    ...items.map(({ chunk_id, kind, words }) => `#${chunk_id} ${kind === "always" ? "always" : `${words ?? 0} words`}`),
    ...in_sight.map(({ chunk_id }) => `#${chunk_id} still`),
  ].join(", ");
}

function leftOutOf({ left_out }: Shown): string {
  return left_out.map(({ chunk_id, reason }) => `#${chunk_id} ${reason.replace("_", " ")}`).join(", ");
}
