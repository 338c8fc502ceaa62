/** How well the service finds what it remembers, with whatever embeddings are connected. */
import type { CommandContext } from "../command.ts";
import { isAnswer, type RecallQuestion } from "./questions.ts";

/** Memories of an answer that count. */
const FIRST = 5;

/** How one way to search did. */
export interface RecallFigures {
  readonly mode: "keyword" | "vector" | "hybrid";
  /** Share of the questions of which the first memory found is an answer, and of which one of the first five is. */
  readonly recall_at_1: number;
  readonly recall_at_5: number;
  /** The mean of 1 / the place of the first answer; 0 where it is none of the five. */
  readonly mean_reciprocal_rank: number;
  /** Milliseconds of a search over HTTP. */
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** Questions of which none of the first five is an answer. */
  readonly missed: readonly string[];
}

/** Of all ways to search that are possible now. */
export interface RecallMeasure {
  readonly modes: readonly RecallFigures[];
  /** By meaning it was to be searched too, and could not be, for some questions at least. */
  readonly degraded: boolean;
  /** Some memories are not found by meaning yet. */
  readonly indexing: boolean;
}

/** Asks every question in every way. */
export async function measureRecall(
  { api }: Pick<CommandContext, "api">,
  questions: readonly RecallQuestion[],
  domain: string,
): Promise<RecallMeasure> {
  const states = { degraded: false, indexing: false, byMeaning: false };
  const ask = async (mode: "keyword" | "vector" | "auto") => {
    const asked: { readonly question: RecallQuestion; readonly place: number; readonly ms: number }[] = [];
    for (const question of questions) {
      const began = performance.now();
      const found = await api.get("/api/knowledge/search", { query: { q: question.text, k: FIRST, domain, mode } });
      const ms = performance.now() - began;
      states.degraded ||= found.degraded;
      states.indexing ||= found.indexing;
      states.byMeaning ||= found.mode !== "keyword";
      asked.push({ question, place: found.results.findIndex((one) => isAnswer(question, one)) + 1, ms });
    }
    const share = (fits: (place: number) => boolean): number =>
      asked.filter(({ place }) => fits(place)).length / asked.length;
    const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
    return {
      ...{
        mode: mode === "auto" ? ("hybrid" as const) : mode,
        recall_at_1: share((place) => place === 1),
        recall_at_5: share((place) => place > 0),
      },
      mean_reciprocal_rank: asked.reduce((sum, { place }) => sum + (place > 0 ? 1 / place : 0), 0) / asked.length,
      ...{ p50_ms: quantile(times, 0.5), p95_ms: quantile(times, 0.95) },
      missed: asked.filter(({ place }) => place === 0).map(({ question }) => question.text),
    };
  };
  const [keyword, hybrid] = [await ask("keyword"), await ask("auto")];
  const { degraded, indexing, byMeaning } = states;
  // Where meaning is switched off, both are the same search.
  const modes = byMeaning || degraded ? [keyword, await ask("vector"), hybrid] : [keyword];
  return { modes, degraded: states.degraded, indexing };
}

function quantile(sorted: readonly number[], share: number): number {
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(found * 10) / 10;
}
