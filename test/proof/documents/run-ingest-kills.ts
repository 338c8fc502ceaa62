/** Kills the service among the reading of documents: what was acknowledged is read, whole and once (K22, KM8). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../random.ts";
import { type ServiceLife, startLife, type TrialFolder } from "../service-life.ts";

/** What came of them. */
export interface IngestKillsReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly violations: readonly string[];
}

/** Lives of a trial that may be killed; one more is not. */
const LIVES = 4;
const PARAGRAPHS = 120;

/** A document whose every part is found by one word, and is one memory. */
function documentOf(word: string): string {
  return Array.from({ length: PARAGRAPHS }, (_, i) => `## Part ${i}\n\n${word} ${i} ${"filler ".repeat(20)}`).join(
    "\n\n",
  );
}

/** Runs trials of a seed, one after the other. */
export async function runIngestKills(seed: string, trials: number): Promise<IngestKillsReport> {
  const root = mkdtempSync(path.join(tmpdir(), "proof-documents-"));
  const violations: string[] = [];
  let [kills, acknowledged] = [0, 0];
  try {
    for (let trial = 0; trial < trials; trial++) {
      const done = await runTrial(createRandom(`${seed}/${trial}`), `${root}/${trial}`, `${root}/compiled`);
      kills += done.kills;
      acknowledged += done.acknowledged;
      violations.push(...done.violations.map((one) => `trial ${trial}: ${one}`));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return { kills, acknowledged, violations };
}

async function runTrial(random: Random, own: string, compiled: string): Promise<IngestKillsReport> {
  const folder: TrialFolder = {
    home: `${own}/home`,
    config: `${own}/config`,
    deeds: `${own}/deeds`,
    epoch: Date.now(),
  };
  mkdirSync(folder.home, { recursive: true });
  mkdirSync(folder.config);
  writeFileSync(`${folder.config}/agent-config.yaml`, `checkpoint: {db_path: "${own}/agent.db"}\n`);
  const words: string[] = [];
  const violations: string[] = [];
  let kills = 0;
  for (let life = 0; life < LIVES; life++) {
    const side = random.pick(["before", "after"] as const);
    const service = startLife(folder, { kind: "left", side, nth: random.int(1, 24) }, compiled);
    const word = `quokka${life}${random.int(1_000, 9_999)}`;
    if (await handed(service, word)) words.push(word);
    // It kills itself at its moment, or once it has read everything there is no such moment.
    await Promise.race([service.gone, readIn(service, words, violations).catch(() => undefined)]);
    service.kill();
    kills += (await service.gone).killed ? 1 : 0;
  }
  const last = startLife(folder, undefined, compiled);
  await readIn(last, words, violations);
  last.kill();
  await last.gone;
  violations.push(...faultsOf(`${folder.home}/memories.db`, words));
  return { kills, acknowledged: words.length, violations };
}

/** Whether a document was acknowledged. */
async function handed(service: ServiceLife, word: string): Promise<boolean> {
  const url = await service.ready;
  if (url === undefined) return false;
  const form = new FormData();
  form.append("file", new Blob([documentOf(word)]), `${word}.md`);
  const asked = fetch(`${url}/api/knowledge/ingest?wait=false`, { method: "POST", body: form });
  return asked.then(
    ({ status }) => status === 202,
    () => false,
  );
}

/** Resolves once all documents are ready; looks meanwhile that none is half seen. */
async function readIn(service: ServiceLife, words: readonly string[], violations: string[]): Promise<void> {
  const url = await service.ready;
  if (url === undefined) return;
  for (const word of words)
    for (let count = -1; count !== PARAGRAPHS; ) {
      const found = await fetch(`${url}/api/knowledge/search?q=${word}&k=200`);
      count = ((await found.json()) as { results: unknown[] }).results.length;
      if (count !== 0 && count !== PARAGRAPHS) {
        violations.push(`${word}: ${count} of ${PARAGRAPHS} parts are seen`);
        return;
      }
      if (count === 0) await sleep(10);
    }
}

/** What is wrong in the store after the last process ended. */
function faultsOf(file: string, words: readonly string[]): string[] {
  const db = new DatabaseSync(file);
  const rows = <T>(sql: string): T[] => db.prepare(sql).all() as T[];
  const faults: string[] = [];
  for (const word of words) {
    const [row] = rows<{ count: number; places: number; sources: number }>(
      `SELECT count(*) AS count, count(DISTINCT place) AS places, count(DISTINCT source) AS sources FROM chunk WHERE content LIKE '${word} %'`,
    );
    if (row?.count !== PARAGRAPHS || row.places !== PARAGRAPHS || row.sources !== 1)
      faults.push(`${word}: ${JSON.stringify(row)}`);
  }
  const lost = "SELECT id FROM chunk WHERE source > 0 AND source NOT IN (SELECT id FROM source WHERE state = 'ready')";
  if (rows(lost).length > 0) faults.push("there are memories of no document");
  db.exec("INSERT INTO chunk_text (chunk_text, rank) VALUES ('integrity-check', 1)");
  for (const { integrity_check: found } of rows<{ integrity_check: string }>("PRAGMA integrity_check"))
    if (found !== "ok") faults.push(found);
  db.close();
  return faults;
}
