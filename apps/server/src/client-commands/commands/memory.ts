import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, memoryNumber, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { amount } from "../memory/amount.ts";
import { previewRecall, uses, why } from "../memory/recalled.ts";
import { verifyForgotten, writeVerified } from "../memory/verify-forgotten.ts";
import { clean, columns } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  sessions: ["limit"],
  show: [],
  harvest: [],
  rm: [],
  hot: [],
  review: ["accept", "reject"],
  forget: ["memory", "source", "session", "subject", "dry-run", "verify"],
  receipts: ["limit"],
  why: ["limit", "session"],
  uses: ["limit"],
  preview: ["session"],
};

/** `agent-service memory`. */
export const memoryCommand: ClientCommand = {
  name: "memory",
  order: 89,
  summary: "What is kept of conversations, always on, waiting for you, and forgotten",
  usage: `agent-service memory sessions            summaries of conversations
agent-service memory show <session>      what is kept of one
agent-service memory harvest <session>   extracts memories from one now
agent-service memory rm <session>        deletes its summary, until its next turn
agent-service memory hot                 always-on memories
agent-service memory review [<number>]   memories that wait for you; decides about one
agent-service memory forget              forgets for good, with every copy in conversations
agent-service memory receipts            what was forgotten
agent-service memory why                 what turns were shown, and what was left out
agent-service memory uses <number>       which turns saw a memory, and what they did then
agent-service memory preview <message>   what a message would be shown

  --limit <number>    at most so many; 20 unless said otherwise
  --accept, --reject  with review
  --memory <number>   with forget: one memory
  --source <number>   with forget: a document
  --session <id>      with forget: what a conversation left; with why and preview: in it
  --subject <text>    with forget: what is about a subject
  --dry-run           with forget: only count
  --verify            with forget: afterwards look for its words in the bytes of memory's files; on the service's machine
`,
  options: {
    ...{ limit: { type: "string" }, memory: { type: "string" }, source: { type: "string" } },
    ...{ session: { type: "string" }, subject: { type: "string" } },
    ...{
      accept: { type: "boolean" },
      reject: { type: "boolean" },
      "dry-run": { type: "boolean" },
      verify: { type: "boolean" },
    },
  },
  async run(context) {
    const [verb = "sessions"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined) throw usage(`memory takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    const given = [...new Set(Object.values(FLAGS).flat())].find(
      (name) => FLAGS[verb]?.includes(name) !== true && context.flags[name] !== undefined,
    );
    if (given !== undefined) throw usage(`memory ${verb} takes no --${given}`);
    return known(context);
  },
};

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  ...{ sessions, show, harvest, rm: remove, hot, review, forget, receipts, why, uses, preview: previewRecall },
});

async function sessions(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, positionals, write, writeJson } = context;
  refuseArguments("memory sessions", positionals.slice(1));
  const limit = limitFlag(flags);
  const { rows } = await allPages(
    (cursor) => api.get("/api/memory/sessions", { query: { limit: Math.min(200, limit), cursor } }),
    (page) => page.sessions,
    limit,
  );
  if (json) writeJson({ sessions: rows });
  else if (rows.length === 0) note("Nothing is kept of a conversation.\n");
  else {
    const cells = rows.map((row) => [
      ...[row.session_id, row.surface, String(row.message_count), timeOf(row.timestamp), row.in_digest ? "yes" : "no"],
      row.topic,
    ]);
    write(columns(["SESSION", "SURFACE", "MESSAGES", "AT", "SHOWN", "TOPIC"], cells, io.stdout));
  }
  return EXIT.ok;
}

async function show(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const params = sessionOf(context);
  const found = await api.get("/api/memory/sessions/{session_id}", { params });
  if (json) writeJson(found);
  else write(`${clean(found.session.rendered)}\n`);
  return EXIT.ok;
}

async function harvest(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const done = await api.post("/api/memory/sessions/{session_id}/harvest", { params: sessionOf(context) });
  if (json) writeJson(done);
  else write(done.harvested ? "Its memories are stored\n" : "Nothing was said since the last time\n");
  return EXIT.ok;
}

async function remove(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const params = sessionOf(context);
  const done = await api.delete("/api/memory/sessions/{session_id}", { params });
  if (json) writeJson(done);
  else write(`Deleted the summary of ${clean(params.session_id)}\n`);
  return EXIT.ok;
}

async function hot(context: CommandContext): Promise<ExitCode> {
  const { api, io, json, note, positionals, write, writeJson } = context;
  refuseArguments("memory hot", positionals.slice(1));
  const { rows } = await allPages(
    (cursor) => api.get("/api/memory/hot", { query: { limit: 200, cursor } }),
    (page) => page.chunks,
    1_000,
  );
  if (json) writeJson({ chunks: rows });
  else if (rows.length === 0) note("No memory is always on.\n");
  else write(columns(["MEMORY", "TRUST", "TEXT"], rows.map(cellsOf), io.stdout));
  return EXIT.ok;
}

async function review(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, positionals, write, writeJson } = context;
  const [, given] = positionals;
  if (given === undefined) {
    const found = await api.get("/api/knowledge/search", { query: { review_state: "pending", k: 200 } });
    if (json) writeJson(found);
    else if (found.results.length === 0) note("Nothing waits for you.\n");
    else write(columns(["MEMORY", "TRUST", "TEXT"], found.results.map(cellsOf), io.stdout));
    return EXIT.ok;
  }
  refuseArguments("memory review", positionals.slice(2));
  if ((flags.accept === true) === (flags.reject === true)) throw usage("say --accept or --reject");
  const decision = flags.accept === true ? "accept" : "reject";
  const params = { chunk_id: String(memoryNumber(given)) };
  const done = await api.post("/api/knowledge/chunks/{chunk_id}/review", { params, body: { decision } });
  if (json) writeJson(done);
  else write(`Memory ${params.chunk_id} is ${decision}ed\n`);
  return EXIT.ok;
}

async function forget(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, note, positionals, write, writeJson } = context;
  refuseArguments("memory forget", positionals.slice(1));
  const [memory, source] = [textFlag(flags, "memory"), textFlag(flags, "source")];
  const [session, subject] = [textFlag(flags, "session"), textFlag(flags, "subject")];
  const given = [memory, source, session, subject].filter((one) => one !== undefined);
  if (given.length !== 1) throw usage("say one of --memory, --source, --session and --subject");
  const isDry = flags["dry-run"] === true;
  const verifies = flags.verify === true;
  if (isDry && verifies) throw usage("say one of --dry-run and --verify");
  const which = {
    ...(memory !== undefined && { chunk_ids: [memoryNumber(memory)] }),
    ...(source !== undefined && { source_id: memoryNumber(source) }),
    ...(session !== undefined && { session_id: session }),
    ...(subject !== undefined && { subject }),
  };
  // Afterwards nobody knows what it said.
  const { texts = [], places = [] } = verifies
    ? await api.post("/api/memory/forget", { body: { ...which, dry_run: true, texts: true } })
    : {};
  const done = await api.post("/api/memory/forget", { body: { ...which, dry_run: isDry } });
  const { receipt_id: receiptId } = done;
  const verified = verifies && receiptId !== null ? await verifyForgotten({ texts, places, receiptId }) : undefined;
  const code = verified?.isGone === false ? EXIT.failed : EXIT.ok;
  if (json) {
    writeJson(verified === undefined ? done : { ...done, verified });
    return code;
  }
  const facts = countsText(done.counts);
  if (isDry) write(`Would forget ${facts}\n`);
  else if (receiptId === null) note("There is nothing of the kind.\n");
  else write(`Forgot ${facts}; receipt ${receiptId}\n`);
  if (verified !== undefined) writeVerified(verified, context);
  for (const kept of isDry || receiptId === null ? [] : done.kept) note(`stays: ${kept}\n`);
  return code;
}

async function receipts(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, positionals, write, writeJson } = context;
  refuseArguments("memory receipts", positionals.slice(1));
  const limit = limitFlag(flags);
  const { rows } = await allPages(
    (cursor) => api.get("/api/memory/receipts", { query: { limit: Math.min(200, limit), cursor } }),
    (page) => page.receipts,
    limit,
  );
  if (json) writeJson({ receipts: rows });
  else if (rows.length === 0) note("Nothing was forgotten.\n");
  else {
    const cells = rows.map(({ id, scope, at, counts }) => [String(id), scope, timeOf(at), countsText(counts)]);
    write(columns(["RECEIPT", "SCOPE", "AT", "FORGOTTEN"], cells, io.stdout));
  }
  return EXIT.ok;
}

interface Counts {
  readonly chunks: number;
  readonly frames: number;
  readonly summaries: number;
  readonly sources: number;
  readonly attachments: number;
}

function countsText({ chunks, frames, summaries, sources, attachments }: Counts): string {
  const facts = [
    chunks > 0 && amount(chunks, "memory", "memories"),
    frames > 0 && amount(frames, "place where it was shown", "places where they were shown"),
    summaries > 0 && amount(summaries, "summary", "summaries"),
    sources > 0 && amount(sources, "document", "documents"),
    attachments > 0 && amount(attachments, "attachment", "attachments"),
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? "nothing" : facts.join(", ");
}

interface Row {
  readonly id: number;
  readonly trust: string;
  readonly subject: string;
  readonly heading: string;
  readonly content: string;
}

function cellsOf({ id, trust, subject, heading, content }: Row): string[] {
  const title = subject || heading;
  return [`#${id}`, trust, `${title === "" ? "" : `${title}: `}${content}`.replaceAll(/\s+/g, " ").slice(0, 1_000)];
}

function sessionOf(context: CommandContext): { readonly session_id: string } {
  const [session_id = ""] = positionalsOf(context, "the id of a conversation");
  return { session_id };
}
