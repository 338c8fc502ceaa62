import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, memoryNumber, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { knowledgeBench } from "../knowledge-bench/knowledge-bench.ts";
import { amount } from "../memory/amount.ts";
import { clean, columns } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  search: ["domain", "limit"],
  add: ["domain", "subject"],
  ingest: ["domain", "title", "no-wait"],
  sources: ["domain", "removed"],
  rm: ["source", "restorable"],
  restore: ["memory"],
  promote: ["withdraw"],
  export: ["domain"],
  import: [],
  bench: ["domain", "limit", "questions"],
};

/** `agent-service knowledge`. */
export const knowledgeCommand: ClientCommand = {
  name: "knowledge",
  order: 88,
  summary: "What the agent knows: memories, and the documents they are of",
  usage: `agent-service knowledge search [<query>]      finds memories, or lists the newest
agent-service knowledge add <text>            stores a memory; - reads standard input
agent-service knowledge ingest <file|url>     reads a document into memories
agent-service knowledge sources               the documents
agent-service knowledge rm <number>           deletes a memory for good
agent-service knowledge rm --source <number>  takes a document out of every search
agent-service knowledge restore <number>      brings a document back, within a day; with --memory a memory
agent-service knowledge promote <number>      shares a memory with the other agents of this home
agent-service knowledge export                all memories, a line of JSON each
agent-service knowledge import <file>         stores such lines; - reads standard input
agent-service knowledge bench                 measures how well they are found, by words and by meaning

  --domain <name>     of these memories, or of what is stored
  --limit <number>    with search: at most so many; 20 unless said otherwise. With bench: questions made of headings; 100
  --questions <file>  with bench: lines of {"question": "…", "answers": [17, "a passage of the memory"]}
  --subject <text>    with add: it replaces the memory of the same subject
  --title <text>      with ingest: the document's title
  --no-wait           with ingest: do not wait until it was read
  --restorable        with rm: it can be brought back within a day, and is deleted for good then
  --memory            with restore: the number is that of a memory, removed by you or by the agent
  --withdraw          with promote: takes it out again; the own one stays
  --removed           with sources: also those that can be brought back
`,
  options: {
    ...{ domain: { type: "string" }, limit: { type: "string" }, subject: { type: "string" } },
    ...{ title: { type: "string" }, source: { type: "string" } },
    ...{ "no-wait": { type: "boolean" }, removed: { type: "boolean" } },
    ...{ restorable: { type: "boolean" }, memory: { type: "boolean" } },
    withdraw: { type: "boolean" },
    questions: { type: "string" },
  },
  async run(context) {
    const [verb = "search"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined)
      throw usage(`knowledge takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    const given = [...new Set(Object.values(FLAGS).flat())].find(
      (name) => FLAGS[verb]?.includes(name) !== true && context.flags[name] !== undefined,
    );
    if (given !== undefined) throw usage(`knowledge ${verb} takes no --${given}`);
    return known(context);
  },
};

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  ...{
    search,
    add,
    ingest,
    sources,
    rm: remove,
    restore,
    promote,
    export: takeOut,
    import: bringIn,
    bench: knowledgeBench,
  },
});

async function search({
  api,
  flags,
  io,
  json,
  note,
  positionals,
  write,
  writeJson,
}: CommandContext): Promise<ExitCode> {
  refuseArguments("knowledge search", positionals.slice(2));
  const [, q = ""] = positionals;
  const query = { q, k: Math.min(200, limitFlag(flags)), domain: textFlag(flags, "domain") ?? "" };
  const found = await api.get("/api/knowledge/search", { query });
  if (json) {
    writeJson(found);
    return EXIT.ok;
  }
  if (found.results.length === 0) note(q === "" ? "There are no memories.\n" : "No matches.\n");
  else {
    const cells = found.results.map(({ id, domain, trust, heading, subject, content }) => {
      const title = subject || heading;
      const text = `${title === "" ? "" : `${title}: `}${content}`.replaceAll(/\s+/g, " ");
      return [`#${id}`, domain, trust, text.slice(0, 1_000)];
    });
    write(columns(["MEMORY", "DOMAIN", "TRUST", "TEXT"], cells, io.stdout));
  }
  if (found.pending > 0) note(`${found.pending} wait for you.\n`);
  return EXIT.ok;
}

async function add(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [given = ""] = positionalsOf(context, "a text");
  const content = given === "-" ? new TextDecoder().decode(await contentOf(context, given)) : given;
  const domain = textFlag(flags, "domain");
  const subject = textFlag(flags, "subject");
  const done = await api.post("/api/knowledge/chunks", {
    body: { content, ...(domain !== undefined && { domain }), ...(subject !== undefined && { subject }) },
  });
  if (json) writeJson(done);
  else write(`Stored memory ${done.id} in '${clean(done.chunk.domain)}'\n`);
  return EXIT.ok;
}

async function ingest(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [given = ""] = positionalsOf(context, "a file or an address");
  const domain = textFlag(flags, "domain");
  const title = textFlag(flags, "title");
  const about = { ...(domain !== undefined && { domain }), ...(title !== undefined && { title }) };
  const query = { wait: flags["no-wait"] === true ? ("false" as const) : ("true" as const) };
  const done = /^https?:\/\//i.test(given)
    ? await api.post("/api/knowledge/ingest", { query, body: { url: given, ...about } })
    : await api.post("/api/knowledge/ingest", { query, form: formOf(await contentOf(context, given), given, about) });
  if (json) writeJson(done);
  else if ("state" in done) write(`Source ${done.source_id} is ${done.state}\n`);
  else write(`Read source ${done.source_id}, ${clean(done.title)}: ${amount(done.chunks, "memory", "memories")}\n`);
  return EXIT.ok;
}

async function sources(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, positionals, write, writeJson } = context;
  refuseArguments("knowledge sources", positionals.slice(1));
  const about = { domain: textFlag(flags, "domain") ?? "", removed: flags.removed === true };
  const { rows } = await allPages(
    (cursor) => api.get("/api/knowledge/sources", { query: { limit: 200, cursor, ...about } }),
    (page) => page.sources,
    10_000,
  );
  if (json) writeJson({ sources: rows });
  else if (rows.length === 0) note("There are no documents.\n");
  else {
    const cells = rows.map((row) => [
      ...[String(row.id), row.domain, row.source_type, row.state, `${row.done}/${row.total}`, timeOf(row.created_at)],
      row.error === null ? row.title : `${row.title}: ${row.error}`,
    ]);
    write(columns(["SOURCE", "DOMAIN", "TYPE", "STATE", "MEMORIES", "AT", "TITLE"], cells, io.stdout));
  }
  return EXIT.ok;
}

async function remove(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, positionals, write, writeJson } = context;
  const source = textFlag(flags, "source");
  if (source !== undefined) {
    refuseArguments("knowledge rm --source", positionals.slice(1));
    const done = await api.post("/api/knowledge/delete-by-source", { body: { source_id: memoryNumber(source) } });
    if (json) writeJson(done);
    else
      write(
        `Removed source ${source} with ${amount(done.deleted, "memory", "memories")}; knowledge restore ${source} brings it back\n`,
      );
    return EXIT.ok;
  }
  const [given = ""] = positionalsOf(context, "the number of a memory");
  const id = memoryNumber(given);
  const restorable = flags.restorable === true;
  const params = { chunk_id: String(id) };
  const done = await api.delete("/api/knowledge/chunks/{chunk_id}", { params, query: { restorable } });
  if (json) writeJson(done);
  else if (restorable) write(`Removed memory ${id}; knowledge restore --memory ${id} brings it back\n`);
  else write(`Deleted memory ${id}\n`);
  return EXIT.ok;
}

async function restore(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  if (flags.memory === true) {
    const [memory = ""] = positionalsOf(context, "the number of a memory");
    const id = memoryNumber(memory);
    const back = await api.post("/api/knowledge/chunks/{chunk_id}/restore", { params: { chunk_id: String(id) } });
    if (json) writeJson(back);
    else write(`Memory ${id} is back\n`);
    return EXIT.ok;
  }
  const [given = ""] = positionalsOf(context, "the number of a document");
  const done = await api.post("/api/knowledge/restore-by-source", { body: { source_id: memoryNumber(given) } });
  if (json) writeJson(done);
  else write(`Source ${memoryNumber(given)} is back, with ${amount(done.restored, "memory", "memories")}\n`);
  return EXIT.ok;
}

async function promote(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [given = ""] = positionalsOf(context, "the number of a memory");
  const id = memoryNumber(given);
  const call = { params: { chunk_id: String(id) } };
  const path = "/api/knowledge/chunks/{chunk_id}/promote";
  const done = flags.withdraw === true ? await api.delete(path, call) : await api.post(path, call);
  if (json) writeJson(done);
  else write(done.promoted ? `Memory ${id} is shared\n` : `Memory ${id} is not shared any more\n`);
  return EXIT.ok;
}

async function takeOut({ api, flags, io, positionals }: CommandContext): Promise<ExitCode> {
  refuseArguments("knowledge export", positionals.slice(1));
  const answer = await api.get("/api/knowledge/export", { query: { domain: textFlag(flags, "domain") ?? "" } });
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) io.stdout.write(decoder.decode(bytes, { stream: true }));
  return EXIT.ok;
}

async function bringIn(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, write, writeJson } = context;
  const [given = ""] = positionalsOf(context, "a file");
  const done = await api.post("/api/knowledge/import", { form: formOf(await contentOf(context, given), given, {}) });
  if (json) writeJson(done);
  else {
    write(
      `Stored ${amount(done.added, "memory", "memories")}; ${done.known} ${done.known === 1 ? "was" : "were"} there\n`,
    );
    for (const { line, why } of done.refused) note(`line ${line}: ${why}\n`);
  }
  return done.refused.length === 0 ? EXIT.ok : EXIT.failed;
}

function formOf(bytes: Uint8Array<ArrayBuffer>, file: string, fields: { readonly [name: string]: string }): FormData {
  const form = new FormData();
  form.append("file", new Blob([bytes]), file === "-" ? "input" : basename(file));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

async function contentOf({ io }: CommandContext, file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file === "-") {
    const text = await io.piped?.();
    if (text === undefined) throw usage("- reads standard input, which is a terminal");
    return new TextEncoder().encode(text);
  }
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
}
