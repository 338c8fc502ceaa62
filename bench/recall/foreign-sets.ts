/** Questions of others, from the files that they publish: LongMemEval and LoCoMo. Nothing of them is stored here. */
import { readFileSync } from "node:fs";
import type { Collection, Note, Question } from "./corpus/note.ts";

/** Characters that a memory has at most. */
const MOST = 8_000;

interface LongMemEvalItem {
  readonly question_id: string;
  readonly question_type: string;
  readonly question: string;
  readonly haystack_dates: readonly string[];
  readonly haystack_session_ids: readonly string[];
  readonly haystack_sessions: readonly (readonly {
    readonly role: string;
    readonly content: string;
    readonly has_answer?: boolean;
  }[])[];
}

interface LoCoMoTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

interface LoCoMoItem {
  readonly sample_id: string;
  readonly conversation: { readonly [name: string]: string | readonly LoCoMoTurn[] };
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence?: readonly string[];
  }[];
}

/** LoCoMo's numbers of its classes. */
const LOCOMO_CLASSES = ["", "several hops", "time", "open domain", "one hop", "nothing to find"];

/** The first `most` collections of a file, each with a store of its own. @throws Error where it is neither's */
export function readForeignSet(path: string, most: number): readonly Collection[] {
  const items = JSON.parse(readFileSync(path, "utf8")) as unknown;
  const [first] = Array.isArray(items) ? (items as readonly object[]) : [];
  if (first !== undefined && "haystack_sessions" in first)
    return (items as readonly LongMemEvalItem[]).slice(0, most).map(ofLongMemEval);
  if (first !== undefined && "conversation" in first && "qa" in first)
    return (items as readonly LoCoMoItem[]).slice(0, most).map(ofLoCoMo);
  throw new Error(`${path} has the form of neither LongMemEval nor LoCoMo`);
}

/** A question with conversations of its own; a question whose id ends in `_abs` has no answer. */
function ofLongMemEval(item: LongMemEvalItem): Collection {
  const answers: string[] = [];
  const notes = item.haystack_sessions.flatMap((session, at) => {
    const name = item.haystack_session_ids[at] ?? String(at);
    return session.map(({ role, content, has_answer }, turn): Note => {
      const key = `${name} ${turn}`;
      if (has_answer === true) answers.push(key);
      return noteOf(key, name, `${role}: ${content}`, dayOf(item.haystack_dates[at] ?? ""));
    });
  });
  const isUnanswerable = item.question_id.endsWith("_abs");
  const question: Question = {
    class: isUnanswerable ? "nothing to find" : item.question_type,
    ...{ text: item.question, answers: isUnanswerable ? [] : answers },
  };
  return { notes, questions: isUnanswerable || answers.length > 0 ? [question] : [] };
}

function ofLoCoMo({ sample_id, conversation, qa }: LoCoMoItem): Collection {
  const notes = Object.entries(conversation).flatMap(([name, turns]) =>
    typeof turns === "string"
      ? []
      : turns.map(({ speaker, dia_id, text }) =>
          noteOf(dia_id, `${sample_id} ${name}`, `${speaker}: ${text}`, dayOf(conversation[`${name}_date_time`])),
        ),
  );
  const known = new Set(notes.map(({ key }) => key));
  const questions = qa.flatMap(({ question, category, evidence = [] }): readonly Question[] => {
    const name = LOCOMO_CLASSES[category] ?? `category ${category}`;
    const answers = category === 5 ? [] : evidence.filter((key) => known.has(key));
    return category === 5 || answers.length > 0 ? [{ class: name, text: question, answers }] : [];
  });
  return { notes, questions };
}

function noteOf(key: string, session: string, content: string, day: string): Note {
  return { key, domain: "general", subject: "", content: content.trim().slice(0, MOST), session, day };
}

/** `2023/05/20 (Sat) 02:21` and `1:56 pm on 8 May, 2023`. */
function dayOf(text: unknown): string {
  if (typeof text !== "string") return "1970-01-01";
  const at = Date.parse(/\d{4}\/\d{2}\/\d{2}/.exec(text)?.[0] ?? text.replace(/^.* on /, ""));
  return new Date(Number.isNaN(at) ? 0 : at).toISOString().slice(0, 10);
}
