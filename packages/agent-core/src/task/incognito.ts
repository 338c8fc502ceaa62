/** Turns of which nothing stays: no prompt snapshot, no memory, no transcript once their session ends. */
import { namedStatement, type Statement } from "../database/index.ts";
import type { InputMessage } from "../event/index.ts";

const KEEP = namedStatement(
  "INSERT INTO incognito_turn (task, class, context, at) VALUES (:task, :class, :context, :at)",
);

/** Whether a message asks for it: `incognito` of its metadata. */
export function asksIncognito({ metadata }: InputMessage): boolean {
  return metadata?.incognito === true;
}

/** The row by which an incognito turn is found again when its session ends. */
export function incognitoRow(turn: {
  readonly task: string;
  readonly class: string;
  readonly context: string;
  readonly at: number;
}): Statement {
  return KEEP.bind({ ...turn });
}
