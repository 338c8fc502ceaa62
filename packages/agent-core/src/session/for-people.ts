import { withoutMarks } from "../verifier/index.ts";
import type { SessionTurn } from "./session-turn.ts";

/** Turns that watches and goals begin, and their notices, hold evidence between marks that are for the model. */
const MARKED: ReadonlySet<string> = new Set(["watch", "goal"]);

/** A turn as people read it. What the model read stays in the journal. */
export function forPeople<T extends SessionTurn>(turn: T): T {
  if (!MARKED.has(turn.origin)) return turn;
  const messages = turn.messages.map((message) => ({ ...message, text: withoutMarks(message.text) }));
  return { ...turn, messages, answer: withoutMarks(turn.answer) };
}
