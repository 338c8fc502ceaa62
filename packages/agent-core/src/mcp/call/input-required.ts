/** Questions of servers of the 2026 era: the request has ended, and is sent again with the answers, restarts later (M7). */
import type { JsonObject } from "../../json/index.ts";

/** Rounds of questions of one call (M10). */
export const MAX_ROUNDS = 10;
/** Questions of one round. */
const MAX_QUESTIONS = 16;

/** What is kept with a call that was asked something. JSON. */
export interface AskedNote {
  readonly kind: "asked";
  /** The exact one, which goes back with the answers. */
  readonly requestState: string | null;
  readonly questions: readonly { readonly key: string; readonly params: JsonObject }[];
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
export function askedBy(result: JsonObject, before: AskedNote | undefined): AskedNote | string | undefined {
  if (result.resultType !== "input_required") return undefined;
  const rounds = (before?.rounds ?? 0) + 1;
  if (rounds > MAX_ROUNDS) return `it asked more than ${MAX_ROUNDS} times`;
  const requests = Object.entries((result.inputRequests ?? {}) as JsonObject);
  if (requests.length > MAX_QUESTIONS) return `it asked more than ${MAX_QUESTIONS} questions at once`;
  const questions: { key: string; params: JsonObject }[] = [];
  for (const [key, request] of requests) {
    const { method, params } = (request ?? {}) as { readonly method?: unknown; readonly params?: unknown };
    if (method !== "elicitation/create" || typeof params !== "object" || params === null)
      return "it asked for something that this service does not offer";
    questions.push({ key, params: params as JsonObject });
  }
  const { requestState } = result;
  if (questions.length === 0 && typeof requestState !== "string") return "it asked, but not for anything";
  return {
    ...{ kind: "asked", questions, answers: {}, rounds, isSent: false },
    requestState: typeof requestState === "string" ? requestState : null,
  };
}

/** The first question without an answer. */
export function nextQuestion({ questions, answers }: AskedNote): AskedNote["questions"][number] | undefined {
  return questions.find(({ key }) => !Object.hasOwn(answers, key));
}
