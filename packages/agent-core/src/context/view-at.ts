/**
 * What a conversation showed when one of its turns had ended: what a rewind goes back to, and what a fork begins with.
 * Stored messages are named, not copied (EN7). Turns stand in the order of their tasks' ids.
 */
import type { Database } from "../database/index.ts";
import type { Statements } from "../journal/index.ts";
import { type Compaction, inOrder, readKept, toItem, wholeTurns } from "./history.ts";
import { messageBody } from "./message-body.ts";
import { MAX_BYTES, MAX_MESSAGES } from "./shown-window.ts";
import type { View } from "./stored-message.ts";

/** Views of one conversation that are looked through. */
const MAX_VIEWS = 10_000;
/** After every row. */
const END = Number.MAX_SAFE_INTEGER;

export interface ConversationKey {
  readonly class: string;
  readonly context: string;
}

/** A conversation as it stood. */
type ViewAt = Pick<View, "keep" | "text" | "outOfSight" | "unsummarised"> & { readonly last: string };

const NOTHING: ViewAt = { keep: [], text: "", last: "" };

/**
 * The row of a conversation that shows no more than it showed after `turn` (empty: before its first), as the body of a
 * message of kind `compaction`. `base`: the rows belong to another conversation, which forks there.
 */
export async function viewAfter(
  db: Database,
  statements: Statements,
  key: ConversationKey,
  { turn, base }: { readonly turn: string; readonly base?: string },
): Promise<string> {
  const at = turn === "" ? NOTHING : await readViewAt(db, statements, key, { turn, before: END });
  return messageBody({ kind: "compaction", ...at, turn, ...(base === undefined ? {} : { base }) });
}

/** The newest view that stood when the turn had ended, of those before a row. */
async function standingView(
  db: Database,
  statements: Statements,
  key: ConversationKey,
  { turn, before }: { readonly turn: string; readonly before: number },
): Promise<{ readonly view?: Compaction; readonly fork?: string }> {
  const views = await db.read(statements.selectViews.bind({ ...key, before, limit: MAX_VIEWS }));
  for (const [id, cut, last, base] of views) {
    // A rewind or fork holds for the turns after it; one before its cut is seen as if it had not been.
    const holds = cut === null ? String(last) <= turn : turn > String(cut);
    const fork = !holds && typeof base === "string" ? { fork: base } : undefined;
    if (!holds && fork === undefined) continue;
    const ids = { class: key.class, ids: JSON.stringify([id]), limit: 1, bytes: MAX_BYTES };
    const [row] = await db.read(statements.selectMessagesById.bind(ids));
    if (row !== undefined) return { view: toItem(row) as Compaction, ...fork };
  }
  return {};
}

async function readViewAt(
  db: Database,
  statements: Statements,
  key: ConversationKey,
  { turn, before }: { readonly turn: string; readonly before: number },
): Promise<ViewAt> {
  const { view, fork } = await standingView(db, statements, key, { turn, before });
  if (fork !== undefined && view !== undefined) {
    const base = { class: key.class, context: fork };
    const earlier = await readViewAt(db, statements, base, { turn, before: view.id });
    // Where the base was deleted, what the fork took along of it is all there is.
    if (earlier.keep.length > 0) return earlier;
  }
  const range = { ...key, after: view?.id ?? 0, before, turn, limit: MAX_MESSAGES, bytes: MAX_BYTES };
  const later = (await db.read(statements.selectMessagesUpTo.bind(range))).toReversed().map(toItem);
  if (view === undefined) return { ...NOTHING, keep: wholeTurns(later).map(({ id }) => id) };
  const { items } = await readKept(db, statements, key.class, view.message.keep);
  const kept = items.filter(({ task }) => task <= turn);
  const { text, outOfSight = 0, unsummarised = 0 } = view.message;
  const shown = inOrder([...kept, ...later], view).map(({ id }) => id);
  const cut = Math.max(0, shown.length - MAX_MESSAGES);
  return {
    keep: shown.slice(cut),
    text,
    last: text === "" ? "" : lastOf(view),
    ...(outOfSight + cut === 0 ? {} : { outOfSight: outOfSight + cut }),
    ...(unsummarised + cut === 0 ? {} : { unsummarised: unsummarised + cut }),
  };
}

function lastOf({ task, message }: { readonly task: string; readonly message: View }): string {
  return message.last ?? task;
}
