import { type EmbeddingDouble, embeddingDouble } from "@agent-service/agent-core/testing";
import { CLASSES, type Collection, type Question, type QuestionClass } from "./corpus/note.ts";
import { denseEmbeddingOf } from "./dense-embedding.ts";
import { type OpenMemory, openMemory } from "./open-memory.ts";

/** Hits of a message that count. */
const FIRST = 5;
/** Neighbours by which the comparison of signs is judged. */
const NEIGHBOURS = 10;

/** How one way to search did with one class of questions. */
export interface ClassFigures {
  readonly class: QuestionClass;
  readonly questions: number;
  /** Share of the answers among the first five that a message is shown; of `nothing to find`, none. */
  readonly recalled: number;
  /** The same of a search. */
  readonly searched: number;
  /** Questions whose answers were not all among the first five shown. */
  readonly missed: readonly string[];
}

/** How one way to search did. */
export interface ModeFigures {
  readonly mode: "keyword" | "hybrid";
  readonly classes: readonly ClassFigures[];
  /** Memories that were corrected since, and were shown or found all the same. */
  readonly superseded: number;
  /** Share of the questions without an answer that were shown something. */
  readonly injected: number;
  /** Which those are. */
  readonly wronglyInjected: readonly string[];
}

export interface QualityFigures {
  readonly notes: number;
  readonly questions: number;
  readonly modes: readonly ModeFigures[];
  /** Share of the ten nearest by cosine that are found by signs first. */
  readonly signRecall: number;
}

/** An endpoint with the suite's vectors, which are no model's: letters in threes and a table of synonyms. */
export async function wideDouble(): Promise<EmbeddingDouble> {
  const double = await embeddingDouble();
  double.embed = denseEmbeddingOf;
  return double;
}

/** What is found of a collection, by words alone and by meaning too. */
export async function measureQuality(collection: Collection, embeddings: string): Promise<QualityFigures> {
  const byWords = await openMemory({ url: ":memory:" });
  const both = await openMemory({ url: ":memory:", embeddings });
  try {
    const keyword = await measureMode("keyword", byWords, collection);
    const hybrid = await measureMode("hybrid", both, collection);
    const signRecall = await measureSigns(both, collection);
    const { notes, questions } = collection;
    return { notes: notes.length, questions: questions.length, modes: [keyword, hybrid], signRecall };
  } finally {
    await byWords.close();
    await both.close();
  }
}

async function measureMode(mode: "keyword" | "hybrid", memory: OpenMemory, collection: Collection): Promise<ModeFigures> {
  const numbers = await memory.fill(collection.notes);
  await memory.indexed();
  const corrected = new Set([...numbers].filter(([key]) => key.endsWith(" before")).map(([, id]) => id));
  let superseded = 0;
  const wronglyInjected: string[] = [];
  const asked: { readonly question: Question; readonly recalled: number; readonly searched: number }[] = [];
  for (const question of collection.questions) {
    const shown = await memory.recalled(question.text);
    const found = await memory.found(question.text, FIRST);
    superseded += [...shown, ...found].filter((id) => corrected.has(id)).length;
    if (question.answers.length === 0) {
      if (shown.length > 0) wronglyInjected.push(question.text);
      continue;
    }
    const answers = question.answers.map((key) => numbers.get(key));
    const share = (ids: readonly number[]): number =>
      answers.filter((id) => id !== undefined && ids.slice(0, FIRST).includes(id)).length / answers.length;
    asked.push({ question, recalled: share(shown), searched: share(found) });
  }
  const classes = CLASSES.map((one) => {
    const of = asked.filter(({ question }) => question.class === one);
    const mean = (pick: (figures: (typeof of)[number]) => number): number =>
      of.reduce((sum, figures) => sum + pick(figures), 0) / of.length;
    return {
      ...{ class: one, questions: of.length },
      ...{ recalled: mean(({ recalled }) => recalled), searched: mean(({ searched }) => searched) },
      missed: of.filter(({ recalled }) => recalled < 1).map(({ question }) => question.text),
    };
  });
  const nothing = collection.questions.filter(({ answers }) => answers.length === 0).length;
  const injected = nothing === 0 ? 0 : wronglyInjected.length / nothing;
  return { mode, classes: classes.filter(({ questions }) => questions > 0), superseded, injected, wronglyInjected };
}

/** Compares what is found by signs first with the nearest of all by the vectors as they are. */
async function measureSigns(memory: OpenMemory, { notes, questions }: Collection): Promise<number> {
  const numbers = new Map<number, Float32Array>();
  for (let before: number | undefined; ; ) {
    const page = await memory.core.features.knowledge.operations.list({}, 200, before);
    for (const { id, subject, content } of page)
      numbers.set(id, unit(denseEmbeddingOf(subject === "" ? content : `${subject}\n${content}`)));
    before = page.at(-1)?.id;
    if (page.length < 200) break;
  }
  if (numbers.size === 0 || notes.length === 0) return Number.NaN;
  let found = 0;
  let wanted = 0;
  for (const { text } of questions) {
    const asked = unit(denseEmbeddingOf(text));
    const cosines = [...numbers].map(([id, vector]) => ({ id, cosine: dot(asked, vector) }));
    const nearest = new Set(await memory.found(text, NEIGHBOURS, "vector"));
    // What is not related is not found, however near it is: it is compared among as many as are.
    const exact = cosines.sort((a, b) => b.cosine - a.cosine).slice(0, nearest.size);
    // One as near as the last of them is as good.
    const last = (exact.at(-1)?.cosine ?? 1) - ROUNDING;
    found += cosines.filter(({ id, cosine }) => nearest.has(id) && cosine >= last).length;
    wanted += exact.length;
  }
  return found / wanted;
}

/** What is lost where a number is kept in a byte. */
const ROUNDING = 1e-3;

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
