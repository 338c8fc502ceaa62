/** What of a conversation memories are extracted from: what a person and the agent said (K14). */
import type { Database } from "../../database/index.ts";
import { isTerminalState } from "../../event/index.ts";
import type { HarvestedMessage } from "../../model/index.ts";
import { readTurns, type SessionTurn, type TurnMessage } from "../../session/index.ts";
import { hiddenTurns } from "../session-source.ts";

/** Of the text that a model is shown. */
export const MOST_CHARACTERS = 16_000;
const PAGE = 50;
const MOST_TURNS = 500;

/** The end of a conversation. */
export interface HarvestSource {
  /** The newest, oldest first, numbered from 1. */
  readonly messages: readonly HarvestedMessage[];
  /** The newest turn there is, whether its text is among the messages or not. */
  readonly newest: string;
  /** When it ended, in epoch milliseconds. */
  readonly endedAt: number;
}

/** Reads it behind the turn `upto`; undefined: there are no turns. @throws DatabaseError */
export async function readHarvestSource(
  db: Database,
  {
    session,
    upto,
    redact,
  }: { readonly session: string; readonly upto: string; readonly redact: (text: string) => string },
): Promise<HarvestSource | undefined> {
  const hidden = await hiddenTurns(db, session);
  const said: { readonly from: "person" | "agent"; readonly text: string }[] = [];
  let newest: SessionTurn | undefined;
  let room = MOST_CHARACTERS;
  let seen = 0;
  for (let after: string | undefined; ; ) {
    const page = await readTurns(db, session, { limit: PAGE, after });
    for (const turn of page.turns) {
      if (turn.task <= upto || room <= 0 || seen >= MOST_TURNS) return sourceOf(said, newest);
      // What still goes on is read when it has ended.
      if (!isTerminalState(turn.state)) continue;
      newest ??= turn;
      seen++;
      if (hidden.has(turn.task)) continue;
      for (const one of saidIn(turn).toReversed()) {
        if (room <= 0) break;
        const text = redact(one.text).trim().slice(-room).toWellFormed();
        room -= text.length;
        if (text !== "") said.unshift({ from: one.from, text });
      }
    }
    if (page.next === undefined) return sourceOf(said, newest);
    after = page.next;
  }
}

function sourceOf(
  said: readonly { readonly from: "person" | "agent"; readonly text: string }[],
  newest: SessionTurn | undefined,
): HarvestSource | undefined {
  if (newest === undefined) return undefined;
  return {
    messages: said.map((one, i) => ({ no: i + 1, ...one })),
    ...{ newest: newest.task, endedAt: newest.updatedAt },
  };
}

function saidIn({ messages, answer }: SessionTurn) {
  const of = ({ from, text }: Pick<TurnMessage, "from" | "text">) =>
    ({ from: from === "user" ? "person" : "agent", text }) as const;
  return [...messages.filter(({ about }) => about !== "approval").map(of), { from: "agent" as const, text: answer }];
}
