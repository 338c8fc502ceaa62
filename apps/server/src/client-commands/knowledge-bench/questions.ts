/** What memories are asked for: questions of a file, or what their own headings say. */
import { usage } from "../command-failure.ts";

/** A question, and what answers it: numbers of memories, or passages of which one has to stand in a memory. */
export interface RecallQuestion {
  readonly text: string;
  readonly answers: readonly (number | string)[];
}

/** A memory, as an export has it. */
export interface ExportedMemory {
  readonly heading: string;
  readonly subject: string;
  readonly content: string;
}

/** Characters that a search takes. */
const MOST_OF_QUESTION = 2_000;

/** The questions of a file: lines of `{"question": "…", "answers": [17, "a passage"]}`. @throws CommandFailure */
export function questionsOf(text: string): readonly RecallQuestion[] {
  const lines = text.split("\n").map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const questions = lines.filter(({ line }) => line !== "").map(({ line, number }) => questionOf(line, number));
  if (questions.length === 0) throw usage("the file has no questions");
  return questions;
}

function questionOf(line: string, number: number): RecallQuestion {
  const wrong = (why: string) => usage(`line ${number} of the questions: ${why}`);
  let said: { readonly question?: unknown; readonly answers?: unknown } | null;
  try {
    said = JSON.parse(line) as typeof said;
  } catch {
    throw wrong("no JSON");
  }
  const { question, answers } = said ?? {};
  if (typeof question !== "string" || question.trim() === "" || question.length > MOST_OF_QUESTION)
    throw wrong(`question is a text of 1 to ${MOST_OF_QUESTION} characters`);
  const isAnswer = (one: unknown): one is number | string =>
    typeof one === "number" ? Number.isInteger(one) && one > 0 : typeof one === "string" && one.trim() !== "";
  if (!Array.isArray(answers) || answers.length === 0 || !answers.every(isAnswer))
    throw wrong("answers are numbers of memories, or passages of them, at least one");
  return { text: question, answers };
}

/** Of what memories are headed by, `most` of them, spread over all. */
export function headingQuestions(memories: readonly ExportedMemory[], most: number): readonly RecallQuestion[] {
  const byTitle = Map.groupBy(memories, ({ subject, heading }) => subject || heading);
  byTitle.delete("");
  const titles = [...byTitle];
  const step = Math.max(1, titles.length / most);
  const chosen = Array.from({ length: Math.min(most, titles.length) }, (_, at) => titles[Math.floor(at * step)]);
  return chosen.flatMap((title) =>
    title === undefined
      ? []
      : [{ text: title[0].slice(0, MOST_OF_QUESTION), answers: title[1].map(({ content }) => content) }],
  );
}

/** Whether a memory is an answer. Passages are compared without regard to case and spaces. */
export function isAnswer(
  { answers }: RecallQuestion,
  memory: { readonly id: number; readonly content: string },
): boolean {
  return answers.some((one) =>
    typeof one === "number" ? one === memory.id : folded(memory.content).includes(folded(one)),
  );
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();
}
