/**
 * What leaves the store (EN10; R12, R14, A15): pieces of text 24 hours after their task ended, the detail of turns
 * by age, conversations only where the operator wants it, idempotency keys after 24 hours. Everything in small commits,
 * so that none holds the writer for long, and nothing is read that is not due.
 */
import { type Database, namedStatement } from "../database/index.ts";
import { hasOldConversations, type RemoveSession, removeConversations } from "./remove-conversations.ts";
import { removeDeltas } from "./remove-deltas.ts";
import { type DetailRetention, removeDetails } from "./remove-details.ts";

const DAY_MS = 86_400_000;

/** How long things are kept, and how often is looked (B66 `checkpoint`). */
export interface Retention extends DetailRetention {
  /** Days after its last turn that a conversation is removed; 0: only people remove conversations. */
  readonly conversationMaxAgeDays: number;
  /** Memories are extracted from a conversation first. In an engine that cannot none is removed by its age. */
  readonly harvest: boolean;
  /** Hours between two sweeps. */
  readonly pruneIntervalHours: number;
}

/** The defaults (B66, R14). */
export const DEFAULT_RETENTION: Retention = {
  maxAgeDays: 30,
  keepPerThread: 5,
  conversationMaxAgeDays: 0,
  harvest: true,
  pruneIntervalHours: 6,
};

export interface Sweep {
  readonly db: Database;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly keep: Retention;
  readonly removeSession: RemoveSession;
  /** Resolves with whether memories are extracted from it first, and it is removed then. Absent: they cannot be. */
  readonly deferRemoval?: ((context: string) => Promise<boolean>) | undefined;
}

export interface Swept {
  /** Turns whose detail was deleted. */
  readonly turns: number;
  /** Delegated tasks that were deleted with them. */
  readonly tasks: readonly string[];
  readonly conversations: number;
  /** Conversations are old enough to go and stay, because nothing can be harvested. */
  readonly waiting: boolean;
}

const KEYS = namedStatement("DELETE FROM idempotency WHERE created_at < :before");
const ANSWERS = namedStatement("DELETE FROM kept_answer WHERE created_at < :before");
const SWEPT = namedStatement(
  "INSERT INTO retention_cursor (round, at, task) VALUES ('sweep', :at, '') ON CONFLICT (round) DO UPDATE SET at = excluded.at",
);
const LAST_SWEEP = namedStatement("SELECT at FROM retention_cursor WHERE round = 'sweep'");

/** When the last sweep was, epoch milliseconds; 0: never. */
export async function lastSweep(db: Database): Promise<number> {
  const [row] = await db.read(LAST_SWEEP.bind({}));
  return row === undefined ? 0 : Number(row[0]);
}

/** One sweep. @throws DatabaseError; what was committed stays done, and the next sweep continues there */
export async function removeExpired({ db, now, keep, removeSession, deferRemoval }: Sweep): Promise<Swept> {
  await removeDeltas(db, now);
  const details = await removeDetails(db, now, keep);
  const range = { now, before: now - keep.conversationMaxAgeDays * DAY_MS };
  const ages = keep.conversationMaxAgeDays > 0;
  const defer = keep.harvest ? deferRemoval : async () => false;
  const waiting = ages && defer === undefined && (await hasOldConversations(db, range.before));
  const conversations =
    ages && defer !== undefined ? await removeConversations(db, range, { removeSession, deferRemoval: defer }) : 0;
  const before = now - DAY_MS;
  await db.commit({
    label: "journal.retention",
    statements: [KEYS.bind({ before }), ANSWERS.bind({ before }), SWEPT.bind({ at: now })],
  });
  return { ...details, conversations, waiting };
}
