import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bound } from "../bounds.ts";
import type { Note } from "./corpus/note.ts";
import { fillStore } from "./fill-store.ts";
import type { SpeedFigures } from "./speed-run.ts";

/** What was found at one size of the store. */
export interface SizeFigures {
  readonly chunks: number;
  readonly keyword: SpeedFigures;
  readonly hybrid: SpeedFigures;
}

const run = promisify(execFile);
const entry = fileURLToPath(new URL("speed-run.ts", import.meta.url));

/** Recalls from a store as it grows, each time in a process of its own. */
export async function measureSpeed(
  notes: readonly Note[],
  sizes: readonly number[],
  embeddings: string,
): Promise<readonly SizeFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), "recall-"));
  const file = join(folder, "agent.db");
  try {
    const figures: SizeFigures[] = [];
    for (const chunks of sizes) {
      await fillStore(file, notes, chunks);
      const keyword = await speedOf(file, "-");
      // The first process makes the vectors, the second one finds them there, as a service that was started does.
      const { indexMs } = await speedOf(file, embeddings, "1");
      figures.push({ chunks, keyword, hybrid: { ...(await speedOf(file, embeddings)), indexMs } });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function speedOf(file: string, embeddings: string, questions = "300"): Promise<SpeedFigures> {
  const args = ["--expose-gc", entry, file, embeddings, questions];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 24 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as SpeedFigures;
}

/** Without what the endpoint took. */
function withoutCall({ p50, p95, callP50 }: SpeedFigures): { readonly p50: number; readonly p95: number } {
  return { p50: p50 - callP50, p95: p95 - callP50 };
}

export function speedReport(figures: readonly SizeFigures[]): string {
  const columns = [
    ...["chunks", "by words p50", "p95", "with vectors p50", "p95", "the endpoint's call p50"],
    ...["loop held, words", "with vectors", "p99", "resident, words", "with vectors", "vectors made in"],
    ...["commit alone", "beside 50 recalls a second, words", "with vectors", "beside 50 calls of the endpoint"],
  ];
  const rows = figures.map(({ chunks, keyword, hybrid }) => {
    const ms = (value: number): string => `${value.toFixed(1)} ms`;
    const mb = (value: number): string => `${value.toFixed(0)} MB`;
    const { p50, p95 } = withoutCall(hybrid);
    return [
      ...[String(chunks), ms(keyword.p50), ms(keyword.p95), ms(p50), ms(p95), ms(hybrid.callP50)],
      ...[ms(keyword.heldMs), ms(hybrid.heldMs), ms(hybrid.heldP99)],
      ...[mb(keyword.residentMb), mb(hybrid.residentMb), `${(hybrid.indexMs / 1_000).toFixed(0)} s`],
      ...[ms(keyword.commitMs), ms(keyword.commitBesideMs), ms(hybrid.commitBesideMs), ms(hybrid.commitBesideCallsMs)],
    ];
  });
  return [columns, columns.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** What the largest store is held to. */
export function speedBounds(figures: readonly SizeFigures[]): readonly Bound[] {
  const [first, last] = [figures[0], figures.at(-1)];
  if (first === undefined || last === undefined) return [];
  const at = `${last.chunks} chunks`;
  const hybrid = withoutCall(last.hybrid);
  const time = (what: string, found: number, most: number): Bound => ({
    what: `${at}: ${what}`,
    found,
    most,
    isTime: true,
  });
  const plain = (what: string, found: number, most: number): Bound => ({ what, found, most, isTime: false });
  return [
    time("by words, p50, ms", last.keyword.p50, 8),
    time("by words, p95, ms", last.keyword.p95, 20),
    time("with vectors without the endpoint's call, p50, ms", hybrid.p50, 20),
    time("with vectors without the endpoint's call, p95, ms", hybrid.p95, 40),
    plain(`by words, ${last.chunks} × ${first.chunks}`, last.keyword.p50 / first.keyword.p50, 8),
    plain(`with vectors, ${last.chunks} × ${first.chunks}`, hybrid.p50 / withoutCall(first.hybrid).p50, 8),
    time("the main thread held, ms", Math.max(last.keyword.heldMs, last.hybrid.heldMs), 5),
    plain(`${at}: resident with vectors, MB more`, last.hybrid.residentMb - last.keyword.residentMb, 40),
    plain(
      "an engine's commit beside 50 recalls a second by words, ×",
      last.keyword.commitBesideMs / last.keyword.commitMs,
      1.2,
    ),
    plain("the same with vectors, ×", last.hybrid.commitBesideMs / last.hybrid.commitMs, 1.2),
  ];
}
