/** What the corpus is made of. */

/** What a question is about, so that each kind of search is judged by what it is for. */
export type QuestionClass =
  | "exact"
  | "identifier"
  | "paraphrase"
  | "correction"
  | "time"
  | "several sessions"
  | "Chinese and Japanese"
  | "nothing to find";

/** A memory as it is stored. */
export interface Note {
  /** By what questions name it. */
  readonly key: string;
  readonly domain: string;
  /** Blank: nothing corrects it. */
  readonly subject: string;
  readonly content: string;
  /** The conversation it was said in. */
  readonly session: string;
  /** The day it was said, as `2026-03-14`. */
  readonly day: string;
  /** Another note corrects it, so that it is to be shown no more. */
  readonly isCorrected?: true;
}

/** A message, and the notes that answer it; none: nothing is to be found. */
export interface Question {
  readonly class: QuestionClass | (string & {});
  readonly text: string;
  readonly answers: readonly string[];
}

/** Notes with what is asked about them. */
export interface Collection {
  readonly notes: readonly Note[];
  readonly questions: readonly Question[];
}

/** A note that was written by hand, with what is asked about it. */
export interface Written {
  readonly domain: string;
  readonly day: string;
  readonly text: string;
  readonly exact?: string;
  readonly paraphrase?: string;
}

/** Notes of one file, each in a conversation of its day. */
export function collected(name: string, written: readonly Written[]): Collection {
  const notes = written.map(({ domain, day, text }, at) => ({
    ...{ key: `${name} ${at}`, domain, day, subject: "", content: text, session: `${name}-${day}` },
  }));
  const questions = written.flatMap(({ exact, paraphrase }, at) => [
    ...(exact === undefined ? [] : [{ class: "exact" as const, text: exact, answers: [`${name} ${at}`] }]),
    ...(paraphrase === undefined
      ? []
      : [{ class: "paraphrase" as const, text: paraphrase, answers: [`${name} ${at}`] }]),
  ]);
  return { notes, questions };
}
