/** Questions of servers of the 2026 era: the request has ended, and is sent again with the answers, restarts later (M7). */
import type { JsonObject } from "../../json/index.ts";
import type { OfferedMethod } from "../offered-method.ts";

/** Rounds of questions of one call (M10). */
export const MAX_ROUNDS = 10;
/** Questions of one round. */
const MAX_QUESTIONS = 16;

/** A question of a server, by the key that its answer goes back with. */
export interface Question {
  readonly key: string;
  /** What is asked of the service; undefined: it is asked of a person. */
  readonly method?: OfferedMethod;
  readonly params: JsonObject;
}

/** What is kept with a call that was asked something. JSON. */
export interface AskedNote {
  readonly kind: "asked";
  /** The exact one, which goes back with the answers. */
  readonly requestState: string | null;
  readonly questions: readonly Question[];
  /** Answers so far, as the protocol has them, by key. */
  readonly answers: JsonObject;
  readonly rounds: number;
  /** It was sent again with the answers: after a crash it is not known whether that call happened. */
  readonly isSent: boolean;
}

/** Reads a note; undefined: it is none of these. */
export function askedNote(kept: unknown): AskedNote | undefined {
  return typeof kept === "object" && kept !== null && (kept as { kind?: unknown }).kind === "asked"
    ? (kept as AskedNote)
    : undefined;
}

/** What a server asks before it answers a call; undefined: the result is an answer. A text: it cannot be asked. */
export function askedBy(
  result: JsonObject,
  before: AskedNote | undefined,
  offers: ReadonlySet<OfferedMethod>,
): AskedNote | string | undefined {
  if (result.resultType !== "input_required") return undefined;
  const rounds = (before?.rounds ?? 0) + 1;
  if (rounds > MAX_ROUNDS) return `it asked more than ${MAX_ROUNDS} times`;
  const questions = questionsIn(result.inputRequests, offers);
  if (typeof questions === "string") return questions;
  const { requestState } = result;
  if (questions.length === 0 && typeof requestState !== "string") return "it asked, but not for anything";
  return {
    ...{ kind: "asked", questions, answers: {}, rounds, isSent: false },
    requestState: typeof requestState === "string" ? requestState : null,
  };
}

/**
 * The questions of a server but those whose keys are `known`: for people, and what it is offered of the service. A text: they
 * cannot be asked.
 */
export function questionsIn(
  inputRequests: unknown,
  offers: ReadonlySet<OfferedMethod>,
  known: ReadonlySet<string> = new Set(),
): Question[] | string {
  const requests = Object.entries((inputRequests ?? {}) as JsonObject).filter(([key]) => !known.has(key));
  if (requests.length > MAX_QUESTIONS) return `it asked more than ${MAX_QUESTIONS} questions at once`;
  const questions: Question[] = [];
  for (const [key, request] of requests) {
    const question = readQuestion(key, request, offers);
    if (question === undefined) return "it asked for something that this service does not offer";
    questions.push(question);
  }
  return questions;
}

function readQuestion(key: string, request: unknown, offers: ReadonlySet<OfferedMethod>): Question | undefined {
  const { method, params } = (request ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (method === "roots/list" && offers.has(method)) return { key, method, params: {} };
  if (typeof params !== "object" || params === null) return undefined;
  if (method === "elicitation/create") return { key, params: params as JsonObject };
  if (method === "sampling/createMessage" && offers.has(method)) return { key, method, params: params as JsonObject };
  return undefined;
}

/** What is kept of a note: what people answered. What the service answered is found again. */
export function keptNote<Note extends Pick<AskedNote, "questions" | "answers">>(note: Note): Note {
  const own = new Set(note.questions.flatMap(({ key, method }) => (method === undefined ? [] : [key])));
  const answers = Object.entries(note.answers).filter(([key]) => !own.has(key));
  return { ...note, answers: Object.fromEntries(answers) };
}

/** The first question without an answer. */
export function nextQuestion({ questions, answers }: Pick<AskedNote, "questions" | "answers">): Question | undefined {
  return questions.find(({ key }) => !Object.hasOwn(answers, key));
}
