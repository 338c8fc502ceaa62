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
  readonly storesWithRemains: number;
}

interface ChunkRow {
  readonly id: number;
  readonly content: string;
  readonly source: number;
  readonly namespace: string;
  readonly domain: string;
  readonly invalidated_at: number | null;
}

/**
 * Where one of the words is: in the bytes of files, and of stores in rows and indexes. A row that grew, or an index that was
 * merged, may have left bytes in a page: those are counted (`storesWithRemains`), and are a known limit. The search over
 * conversations keeps single words until its index is merged (K13). The audit log stays (K12), and the trial's own files do not count.
 */
export function placesOf(root: string, words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  const pattern = new RegExp(words.join("|"), "i");
  const all = filesOf(root);
  const files = all
    .filter((path) => !/audit\.jsonl|service\.log$|\.db(?:-|$)/.test(path))
    .flatMap((path) => {
      const word = bytesOf(path, pattern);
      return word === undefined ? [] : [`${path.slice(root.length)} (${word})`];
    });
  return [...files, ...all.filter((path) => path.endsWith(".db")).flatMap((file) => rowsWith(file, pattern))];
}

/** How many stores hold bytes of one of the words. */
function storesWithRemains(root: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const pattern = new RegExp(words.join("|"), "i");
  return filesOf(root).filter((path) => path.endsWith(".db") && bytesOf(path, pattern) !== undefined).length;
}

function filesOf(root: string): readonly string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function bytesOf(path: string, pattern: RegExp): string | undefined {
  return existsSync(path) ? pattern.exec(readFileSync(path, "latin1"))?.[0] : undefined;
}

function rowsWith(file: string, pattern: RegExp): readonly string[] {
  const tables = rowsOf<{ name: string }>(file, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  const looked = tables.filter(({ name }) => !name.startsWith("session_text"));
  return looked.flatMap(({ name }) => {
    const word = pattern.exec(textOf(rowsOf(file, `SELECT * FROM "${name}"`)))?.[0];
    return word === undefined ? [] : [`table ${name} (${word})`];
  });
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
  for (const thing of things) checkThing(thing, chunks, { config, ledger });
  for (const place of placesOf(root, forgottenWords(things))) ledger.blame(`KM6: forgotten words are in ${place}`);
  const open = rowsOf(knowledge, "SELECT id FROM forgetting WHERE done_at IS NULL").length;
  if (open > 0) ledger.blame(`KM6: ${open} were to be forgotten and are not`);
  const deletions = rowsOf(`${root}/agent.db`, "SELECT context FROM session_deletion").length;
  if (deletions > 0) ledger.blame(`SD1: ${deletions} deletions are not done`);
  const lost = "SELECT id FROM chunk WHERE source > 0 AND source NOT IN (SELECT id FROM source)";
  if (rowsOf(knowledge, lost).length > 0) ledger.blame("K22: there are memories of no document");
  for (const file of [`${root}/agent.db`, knowledge, `${home}/skills.db`]) checkFile(file, ledger);
  return {
    things: things.length,
    forgottenThings: things.filter(({ gone }) => gone === "yes").length,
    receipts: rowsOf(knowledge, "SELECT id FROM forgetting WHERE done_at IS NOT NULL").length,
    harvests: chunks.filter(({ domain }) => domain === "conversation").length,
    storesWithRemains: storesWithRemains(root, forgottenWords(things)),
    skillVersions: rowsOf(`${home}/skills.db`, "SELECT 1 FROM text_version").length,
  };
}

function checkThing(
  thing: Thing,
  chunks: readonly ChunkRow[],
  { config, ledger }: { readonly config: string; readonly ledger: Ledger },
): void {
  const { kind, word, made, gone } = thing;
  if (kind === "skill") {
    checkSkill(thing, config, ledger);
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
  if (kind === "conversation" && made === "yes" && own.length < thing.version)
    ledger.blame(`KM1: of ${word} there are ${own.length} editions, and ${thing.version} were confirmed`);
}

function checkSkill({ word, gone, version, asked }: Thing, config: string, ledger: Ledger): void {
  const file = `${config}/skills/${word}/SKILL.md`;
  const text = existsSync(file) ? readFileSync(file, "utf8") : undefined;
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
