/** What is left of what was remembered and forgotten, after the last process ended (KM1, KM6, KM10, KM11, KM12). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "../ledger.ts";
import { PARTS, type Thing } from "./thing.ts";

/** Sums for the report. */
export interface MemoryKillFigures {
  readonly things: number;
  readonly forgottenThings: number;
  readonly receipts: number;
  readonly harvests: number;
  readonly skillVersions: number;
}

interface ChunkRow {
  readonly id: number;
  readonly content: string;
  readonly source: number;
  readonly namespace: string;
  readonly domain: string;
  readonly invalidated_at: number | null;
}

/** Letters of a thing's word that stand together wherever it does: an index may share a word's first ones with the word before it. */
const middleOf = (word: string): string => word.slice(6, 14);

/** Where one of the words is: in any byte of any file, of stores and their logs too. The audit log stays (K12), and the trial's own files do not count. */
export function placesOf(root: string, words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  const pattern = new RegExp(words.map(middleOf).join("|"), "i");
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths
    .filter((path) => !/audit\.jsonl|service\.log$/.test(path))
    .flatMap((path) => {
      const word = existsSync(path) ? pattern.exec(readFileSync(path, "latin1"))?.[0] : undefined;
      if (word === undefined) return [];
      const rows = path.endsWith(".db") ? rowsWith(path, pattern) : [];
      return [`${path.slice(root.length)} (${word}${rows.length > 0 ? `: ${rows.join(", ")}` : ""})`];
    });
}

/** The tables and indexes that hold one of the words. */
function rowsWith(file: string, pattern: RegExp): readonly string[] {
  const tables = rowsOf<{ name: string }>(file, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  return tables
    .filter(({ name }) => pattern.test(textOf(rowsOf(file, `SELECT * FROM "${name}"`))))
    .map(({ name }) => name);
}

function textOf(rows: readonly object[]): string {
  const values = rows.flatMap((row) => Object.values(row) as unknown[]);
  return values
    .map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString("latin1") : String(one)))
    .join("\n");
}

/** Words of which nothing may be left. Of a skill that was deleted its versions are kept. */
export function forgottenWords(things: readonly Thing[]): readonly string[] {
  return things.filter(({ gone, kind }) => gone === "yes" && kind !== "skill").map(({ word }) => word);
}

function rowsOf<T>(file: string, sql: string): T[] {
  if (!existsSync(file)) return [];
  const db = new DatabaseSync(file);
  try {
    const statement = db.prepare(sql);
    // Some numbers of the journal are larger than one of the language; rows are told apart by others.
    statement.setReadBigInts(sql.startsWith('SELECT * FROM "'));
    return statement.all() as T[];
  } finally {
    db.close();
  }
}

/** How many things are to be forgotten, or conversations to be deleted, and are not. */
export function openRemovals(root: string, home: string): { readonly forgettings: number; readonly deletions: number } {
  const forgettings = rowsOf(`${home}/memories.db`, "SELECT id FROM forgetting WHERE done_at IS NULL").length;
  return { forgettings, deletions: rowsOf(`${root}/agent.db`, "SELECT context FROM session_deletion").length };
}

export interface EndedMemoryTrial {
  readonly root: string;
  readonly home: string;
  readonly config: string;
  readonly things: readonly Thing[];
  readonly ledger: Ledger;
}

/** Looks through everything that it left; what is wrong goes into the ledger. */
export function checkMemories({ root, home, config, things, ledger }: EndedMemoryTrial): MemoryKillFigures {
  const knowledge = `${home}/memories.db`;
  const chunks = rowsOf<ChunkRow>(
    knowledge,
    "SELECT id, content, source, namespace, domain, invalidated_at FROM chunk ORDER BY id",
  );
  const skills = [`${config}/skills`, `${home}/commons/skills`];
  for (const thing of things) checkThing(thing, chunks, { skills, ledger });
  checkCommons(knowledge, `${home}/commons/memories`, ledger);
  for (const place of placesOf(root, forgottenWords(things))) ledger.blame(`KM6: forgotten words are in ${place}`);
  const { forgettings, deletions } = openRemovals(root, home);
  if (forgettings > 0) ledger.blame(`KM6: ${forgettings} were to be forgotten and are not`);
  if (deletions > 0) ledger.blame(`SD1: ${deletions} deletions are not done`);
  const lost = "SELECT id FROM chunk WHERE source > 0 AND source NOT IN (SELECT id FROM source)";
  if (rowsOf(knowledge, lost).length > 0) ledger.blame("K22: there are memories of no document");
  for (const file of [`${root}/agent.db`, knowledge, `${home}/skills.db`]) checkFile(file, ledger);
  return {
    things: things.length,
    forgottenThings: things.filter(({ gone }) => gone === "yes").length,
    receipts: rowsOf(knowledge, "SELECT id FROM forgetting WHERE done_at IS NOT NULL").length,
    harvests: chunks.filter(({ domain }) => domain === "conversation").length,
    skillVersions: rowsOf(`${home}/skills.db`, "SELECT 1 FROM text_version").length,
  };
}

function checkThing(
  thing: Thing,
  chunks: readonly ChunkRow[],
  { skills, ledger }: { readonly skills: readonly string[]; readonly ledger: Ledger },
): void {
  const { kind, word, made, gone } = thing;
  if (kind === "skill") {
    checkSkill(thing, skills, ledger);
    return;
  }
  const own = chunks.filter(({ content, source }) => source === 0 && content.startsWith(`${word} lives`));
  const parts = chunks.filter(
    ({ content, source, namespace }) => source > 0 && namespace === "" && content.includes(word),
  );
  if (gone !== "no") {
    if (own.length + parts.length > 0) ledger.blame(`KM6: ${kind} ${word} is forgotten and there`);
    return;
  }
  if (kind === "document") {
    const isWhole = parts.length === PARTS && new Set(parts.map(({ source }) => source)).size === 1;
    if (!isWhole && (made === "yes" || parts.length > 0))
      ledger.blame(`KM1: of document ${word} there are ${parts.length} parts`);
    return;
  }
  for (const [content, same] of Map.groupBy(own, (one) => one.content))
    if (same.length > 1) ledger.blame(`KM1: ${content} is there ${same.length} times`);
  const standing = own.filter((one) => one.invalidated_at === null);
  if (standing.length > 1 || standing[0] !== own.at(-1)) ledger.blame(`K7: of ${word} stand ${standing.length}`);
  if (made === "yes" && own.length === 0) ledger.blame(`KM1: ${kind} ${word} was confirmed and is lost`);
  const newest = `, as edition ${thing.version} has it`;
  if (kind === "conversation" && made === "yes" && !own.some(({ content }) => content.includes(newest)))
    ledger.blame(`KM1: edition ${thing.version} of ${word} was confirmed and is lost`);
}

/** Where the memories are those of the commons, each is in a file there, and nothing else is (K26). */
function checkCommons(knowledge: string, folder: string, ledger: Ledger): void {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder);
  const half = files.filter((file) => file.startsWith("."));
  if (half.length > 0) ledger.blame(`K26: ${half.join(", ")} was left half written`);
  const whole = files.filter((file) => !file.startsWith("."));
  const texts = whole.map((file) => {
    const { content } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { readonly content: string };
    return content;
  });
  const shared = rowsOf<{ content: string }>(
    knowledge,
    `SELECT content FROM chunk WHERE namespace = '' AND domain <> 'conversation' AND review = 'accepted'
       AND invalidated_at IS NULL AND removed_at IS NULL
       AND (source = 0 OR source IN (SELECT id FROM source WHERE state = 'ready'))`,
  ).map(({ content }) => content);
  const missing = shared.filter((content) => !texts.includes(content));
  const left = texts.filter((content) => !shared.includes(content));
  if (missing.length > 0) ledger.blame(`K26: not in the commons: ${missing.join("; ").slice(0, 500)}`);
  if (left.length > 0) ledger.blame(`K26: left in the commons: ${left.join("; ").slice(0, 500)}`);
}

/** How many memories are to be put into the commons, or taken out, and are not. */
export function unsharedMemories(home: string): number {
  return rowsOf(`${home}/memories.db`, "SELECT chunk FROM commons_change").length;
}

function checkSkill({ word, gone, version, asked }: Thing, folders: readonly string[], ledger: Ledger): void {
  const file = folders.map((folder) => `${folder}/${word}/SKILL.md`).find((path) => existsSync(path));
  const text = file === undefined ? undefined : readFileSync(file, "utf8");
  if (gone === "yes" && text !== undefined) ledger.blame(`EN9: skill ${word} was deleted and is there`);
  if (gone !== "no") return;
  if (version > 0 && text === undefined) ledger.blame(`EN9: skill ${word} was saved and is lost`);
  const found = /of version (\d+)\.\n/.exec(text ?? "")?.[1];
  if (text !== undefined && (found === undefined || Number(found) < version || Number(found) > asked))
    ledger.blame(`KM10: skill ${word} is of version ${found}, and ${version} was confirmed`);
}

function checkFile(file: string, ledger: Ledger): void {
  for (const { integrity_check: found } of rowsOf<{ integrity_check: string }>(file, "PRAGMA integrity_check"))
    if (found !== "ok") ledger.blame(`${file}: ${found}`);
}
