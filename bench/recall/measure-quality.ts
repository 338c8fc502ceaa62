import type { Collection, Question } from "./corpus/note.ts";
import { denseEmbeddingOf } from "./dense-embedding.ts";
import { type OpenMemory, openMemory } from "./open-memory.ts";

/** Hits of a message that count. */
const FIRST = 5;
/** Neighbours by which the comparison of signs is judged. */
const NEIGHBOURS = 10;
/** What is lost where a number is kept in a byte. */
const ROUNDING = 1e-3;

/** How one way to search did with one class of questions. */
export interface ClassFigures {
  readonly class: string;
  readonly questions: number;
  /** Share of the answers among the first five that a message is shown. */
  readonly recalled: number;
  /** The same of a search, which has no floor. */
  readonly searched: number;
  /** Questions whose answers were not all shown. */
  readonly missed: readonly string[];
}

/** How one way to search did. */
export interface ModeFigures {
  readonly mode: "keyword" | "hybrid";
  readonly classes: readonly ClassFigures[];
  /** Memories that were corrected since, and were shown or found all the same. */
  readonly superseded: number;
  /** Questions without an answer, and those of them that were shown something. */
  readonly unanswerable: number;
  readonly injected: readonly string[];
}

/** What came of one question. */
interface Outcome {
  readonly question: Question;
  readonly recalled: number;
  readonly searched: number;
  readonly superseded: number;
  readonly isShown: boolean;
}

/** What is found of some collections, each in a store of its own. `embeddings`: where texts become vectors; absent: by words. */
export async function measureMode(collections: readonly Collection[], embeddings?: string): Promise<ModeFigures> {
  const outcomes: Outcome[] = [];
  for (const collection of collections) {
    const memory = await openMemory({ url: ":memory:", embeddings });
    try {
      outcomes.push(...(await ask(memory, collection)));
    } finally {
      await memory.close();
    }
  }
  const answerable = outcomes.filter(({ question }) => question.answers.length > 0);
  const unanswerable = outcomes.filter(({ question }) => question.answers.length === 0);
  const classes = Map.groupBy(answerable, ({ question }) => question.class);
  return {
    mode: embeddings === undefined ? "keyword" : "hybrid",
    classes: [...classes].map(([name, of]) => figuresOf(name, of)),
    superseded: outcomes.reduce((sum, { superseded }) => sum + superseded, 0),
    unanswerable: unanswerable.length,
    injected: unanswerable.filter(({ isShown }) => isShown).map(({ question }) => question.text),
  };
}

async function ask(memory: OpenMemory, { notes, questions }: Collection): Promise<readonly Outcome[]> {
  const numbers = await memory.fill(notes);
  await memory.indexed();
  const corrected = new Set(notes.filter(({ isCorrected }) => isCorrected).map(({ key }) => numbers.get(key)));
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const shown = await memory.recalled(question.text);
    const found = await memory.found(question.text, FIRST);
    const answers = question.answers.map((key) => numbers.get(key));
    const share = (ids: readonly number[]): number =>
      answers.filter((id) => id !== undefined && ids.slice(0, FIRST).includes(id)).length / answers.length;
    const superseded = [...shown, ...found].filter((id) => corrected.has(id)).length;
    outcomes.push({ question, recalled: share(shown), searched: share(found), superseded, isShown: shown.length > 0 });
  }
  return outcomes;
}

function figuresOf(name: string, of: readonly Outcome[]): ClassFigures {
  const mean = (pick: (outcome: Outcome) => number): number => of.reduce((sum, one) => sum + pick(one), 0) / of.length;
  return {
    ...{ class: name, questions: of.length },
    ...{ recalled: mean(({ recalled }) => recalled), searched: mean(({ searched }) => searched) },
    missed: of.filter(({ recalled }) => recalled < 1).map(({ question }) => question.text),
  };
}

/** Share of the ten nearest by the vectors as they are that are found where signs are compared first. */
export async function measureSigns({ notes, questions }: Collection, embeddings: string): Promise<number> {
  const memory = await openMemory({ url: ":memory:", embeddings });
  try {
    const numbers = await memory.fill(notes);
    await memory.indexed();
    const stands = notes.filter(({ isCorrected }) => !isCorrected);
    const vectors = stands.map(({ key, subject, content }) => ({
      id: numbers.get(key) ?? 0,
      vector: unit(denseEmbeddingOf(subject === "" ? content : `${subject}\n${content}`)),
    }));
    let found = 0;
    let wanted = 0;
    for (const { text } of questions) {
      const asked = unit(denseEmbeddingOf(text));
      const cosines = vectors.map(({ id, vector }) => ({ id, cosine: dot(asked, vector) }));
      const nearest = new Set(await memory.found(text, NEIGHBOURS, "vector"));
      // What is below the model's floor is not found, however near it is: as many are compared as were found.
      const exact = cosines.toSorted((a, b) => b.cosine - a.cosine).slice(0, nearest.size);
      // One as near as the last of them is as good.
      const last = (exact.at(-1)?.cosine ?? 1) - ROUNDING;
      found += cosines.filter(({ id, cosine }) => nearest.has(id) && cosine >= last).length;
      wanted += exact.length;
    }
    return found / wanted;
  } finally {
    await memory.close();
  }
}

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
