/**
 * A context's conversation as the model is shown it (EN4, EN7): messages in the order they were stored, each assistant
 * message followed by the results of its calls, found by call id, so that an answer that came later lands at its call.
 */
import type { Database, Row } from "../database/index.ts";
import type { Statements } from "../journal/index.ts";
import type { ModelMessage } from "../model/index.ts";
import { MAX_BYTES, MAX_MESSAGES, outOfSightNote } from "./shown-window.ts";
import type { History, HistoryItem, StoredMessage, View } from "./stored-message.ts";

/** The newest messages that are read; older ones stay stored. More than are shown, so that a step loses none unseen. */
export const READ_MESSAGES = 2 * MAX_MESSAGES;
/** The newest calls whose results are read. */
export const MAX_CALLS = 20_000;

/** Replaces a result that is too far back. */
const NO_LONGER_SHOWN = "(this result is too far back to be shown)";

/** Replaces the result of a call that waits for a person. */
export const AWAITING_A_PERSON = "(awaiting a person: this call has no result yet)";

/**
 * Reads a context's conversation, as much of it as the newest bytes hold (EN10): whatever callers and tools put in, a
 * turn can be begun. `own` is a task whose messages and results are read even where others' came after them; `alone`: and
 * nothing but them.
 */
export async function readHistory(
  db: Database,
  statements: Statements,
  key: { readonly class: string; readonly context: string },
  own?: string,
  alone = false,
): Promise<History> {
  const bounds = { limit: READ_MESSAGES, bytes: MAX_BYTES };
  const callBounds = { limit: MAX_CALLS, bytes: MAX_BYTES };
  const task = own ?? "";
  const ofTask = [
    statements.selectMessagesOfTask.bind({ ...key, task, ...bounds }),
    statements.selectCallsOfTask.bind({ task, ...callBounds }),
  ];
  const ofContext = [
    statements.selectMessages.bind({ ...key, ...bounds }),
    statements.selectCallsOfContext.bind({ ...key, messages: READ_MESSAGES, ...callBounds }),
  ];
  const wanted = [...(alone ? ofTask : ofContext), ...(alone || own === undefined ? [] : ofTask)];
  const [rows = [], calls = [], ownRows = [], ownCalls = []] = await Promise.all(wanted.map((one) => db.read(one)));
  const results = new Map<string, string>();
  for (const [id, outcome, result] of [...calls, ...ownCalls]) {
    if (outcome !== null) results.set(String(id), String(result ?? results.get(String(id)) ?? NO_LONGER_SHOWN));
  }
  const newest = rows.toReversed().map(toItem);
  const truncated = isTruncated(rows);
  const compaction = lastCompaction(newest) ?? (truncated ? await olderCompaction(db, statements, key) : undefined);
  const ownItems = ownRows.toReversed().map(toItem);
  // Rows that are not read may hold the mark.
  const tainted = truncated || isTainted(newest) || isTainted(ownItems);
  if (compaction === undefined) {
    const whole = wholeTurns(newest);
    const oldest = whole[0]?.id ?? Number.POSITIVE_INFINITY;
    const items = [...ownItems.filter(({ id }) => id < oldest), ...whole];
    const rows = whole.map(({ id }) => id);
    const history = { items, results, rows, tainted, exceedsBounds: truncated || exceedsBounds(items, results) };
    if (!truncated) return history;
    const [row] = await db.read(statements.countMessages.bind(key));
    const unread = Math.max(0, Number(row?.[0]) - items.length);
    return { ...history, outOfSight: unread, unsummarised: unread };
  }
  const scattered = compaction.message.from === undefined;
  const kept = scattered ? await readKept(db, statements, key.class, compaction.message.keep) : NOTHING_KEPT;
  for (const [id, result] of kept.results) if (!results.has(id)) results.set(id, result);
  const shown = [...kept.items.filter(({ id }) => id < compaction.id), ...newest];
  // What another turn took out of sight is shown on to one that waited meanwhile: it continues with its own calls.
  const mine = lastCompaction(ownItems);
  const visible = ownItems.filter(visibility(mine));
  const isVisible = visibility(compaction);
  const others = shown.filter((item) => (own === undefined || item.task !== own) && isVisible(item));
  const items = [...inOrder(others, compaction), ...visible];
  const { text, outOfSight, unsummarised } = compaction.message;
  // A fork shows rows of another conversation, with its mark; of one too long to be shown whole the mark may be left out.
  const inherited = scattered && (outOfSight !== undefined || isTainted(kept.items));
  return {
    items,
    results,
    tainted: tainted || inherited,
    exceedsBounds: truncated || exceedsBounds(items, results),
    rows: newest.flatMap(({ id }) => (id > compaction.id ? [id] : [])),
    ...(text === "" ? {} : { summary: text }),
    ...(outOfSight === undefined ? {} : { outOfSight }),
    ...(unsummarised === undefined ? {} : { unsummarised }),
    hiddenRounds: ownItems.filter((item) => isRound(item) && !visible.includes(item)).length,
    ...(scattered ? { scattered: true as const } : {}),
  };
}

/** The results of calls, as they were read; those without an outcome are left out. */
export function resultsOf(calls: readonly Row[]): Map<string, string> {
  const ended = calls.filter(([, outcome]) => outcome !== null);
  return new Map(ended.map(([id, , result]) => [String(id), String(result ?? NO_LONGER_SHOWN)]));
}

const NOTHING_KEPT: Pick<History, "items" | "results"> = { items: [], results: new Map() };

/** Messages by the numbers of their rows, oldest first, and the results of their turns' calls. */
export async function readKept(
  db: Database,
  statements: Statements,
  callerClass: string,
  ids: readonly number[],
): Promise<Pick<History, "items" | "results">> {
  const wanted = { class: callerClass, ids: JSON.stringify(ids), limit: READ_MESSAGES, bytes: MAX_BYTES };
  const items = (await db.read(statements.selectMessagesById.bind(wanted))).toReversed().map(toItem);
  const tasks = JSON.stringify([...new Set(items.map(({ task }) => task))]);
  const calls = await db.read(statements.selectCallsOfTasks.bind({ tasks, limit: MAX_CALLS, bytes: MAX_BYTES }));
  return { items, results: resultsOf(calls) };
}

/** A view with its row. */
export interface Compaction extends HistoryItem {
  readonly message: View;
}

function lastCompaction(items: readonly HistoryItem[]): Compaction | undefined {
  return items.findLast((item): item is Compaction => item.message.kind === "compaction");
}

/** A compaction that more messages followed than are read: what it replaces would be forgotten. */
async function olderCompaction(
  db: Database,
  statements: Statements,
  key: { readonly class: string; readonly context: string },
): Promise<Compaction | undefined> {
  return lastCompaction((await db.read(statements.selectCompaction.bind(key))).map(toItem));
}

/** Whether there may be more than a bounded read gave. */
function isTruncated(rows: readonly Row[]): boolean {
  if (rows.length >= READ_MESSAGES) return true;
  const chars = rows.reduce((sum, row) => sum + String(row[3]).length, 0);
  // A character takes three bytes at most.
  if (chars * 3 < MAX_BYTES) return false;
  return rows.reduce((sum, row) => sum + Buffer.byteLength(String(row[3])), 0) >= MAX_BYTES;
}

function exceedsBounds(items: readonly HistoryItem[], results: History["results"]): boolean {
  if (items.length > MAX_MESSAGES) return true;
  return items.some(
    ({ message }) =>
      message.kind === "assistant" && message.toolCalls?.some(({ id }) => results.get(id) === NO_LONGER_SHOWN),
  );
}

function visibility(compaction: Compaction | undefined): (item: HistoryItem) => boolean {
  const keep = new Set(compaction?.message.keep);
  return ({ id, message }) =>
    message.kind !== "compaction" && (compaction === undefined || id > compaction.id || keep.has(id));
}

/** What it kept stays in the order it was shown in; what came later came later. */
export function inOrder(items: readonly HistoryItem[], { message: { keep } }: Compaction): HistoryItem[] {
  const positions = new Map(keep.map((id, i) => [id, i]));
  const positionOf = ({ id }: HistoryItem): number => positions.get(id) ?? keep.length + id;
  return items.toSorted((a, b) => positionOf(a) - positionOf(b));
}

function isRound({ message }: HistoryItem): boolean {
  return message.kind === "assistant" && message.toolCalls !== undefined;
}

export function toItem(row: Row): HistoryItem {
  const kind = String(row[2]);
  const body = JSON.parse(String(row[3])) as Record<string, unknown>;
  return { id: Number(row[0]), task: String(row[1]), message: { ...body, kind } as unknown as StoredMessage };
}

/** A cut conversation starts at a user message, so that no provider sees an answer without its question. */
export function wholeTurns(items: readonly HistoryItem[]): readonly HistoryItem[] {
  const first = items.findIndex((item) => item.message.kind === "user");
  return first <= 0 ? items : items.slice(first);
}

/** What the model is shown of one stored message and its calls' results. */
export function showMessage(message: StoredMessage, results?: ReadonlyMap<string, string>): ModelMessage[] {
  switch (message.kind) {
    case "user":
      return [{ role: "user", content: message.content }];
    case "note":
      return [{ role: "user", content: [{ kind: "text", text: message.text }, ...(message.images ?? [])] }];
    case "tainted":
      return [];
    case "recalled":
    case "compaction":
      return [{ role: "user", content: [{ kind: "text", text: message.text }] }];
    case "assistant": {
      const calls = message.toolCalls ?? [];
      const shown: ModelMessage[] = [
        { role: "assistant", text: message.text, ...(calls.length > 0 ? { toolCalls: calls } : {}) },
      ];
      for (const call of calls) {
        shown.push({
          role: "tool",
          callId: call.id,
          name: call.name,
          text: results?.get(call.id) ?? AWAITING_A_PERSON,
        });
      }
      return shown;
    }
  }
}

/** Shows one more stored message behind those that are shown. */
export function addShown(shown: ModelMessage[], message: StoredMessage, results?: ReadonlyMap<string, string>): void {
  if (message.kind === "recalled") addRecalled(shown, message.text);
  else shown.push(...showMessage(message, results));
}

/** Shows what was recalled: as a further part of the user message before it, so that the newest one stays what it was. */
export function addRecalled(shown: ModelMessage[], text: string): void {
  const part = { kind: "text", text, aside: true } as const;
  const last = shown.at(-1);
  if (last?.role === "user") shown[shown.length - 1] = { ...last, content: [...last.content, part] };
  else shown.push({ role: "user", content: [part] });
}

/** What shown messages hold of what was recalled, beside `before`. */
export function refsOf(items: readonly HistoryItem[], before = NO_REFS): ReadonlySet<string> {
  const refs = items.flatMap(({ message }) => (message.kind === "recalled" ? message.refs : []));
  return refs.length === 0 ? before : new Set([...before, ...refs]);
}

/** Whether stored messages say that the conversation holds content from outside. */
export function isTainted(items: readonly HistoryItem[]): boolean {
  return items.some(({ message }) => message.kind === "tainted");
}

/** Nothing that was recalled is in sight. */
export const NO_REFS: ReadonlySet<string> = new Set();

/**
 * What the model is shown of a conversation. `resuming`: the task that continues, whose own messages come last; turns that
 * ran while it waited would otherwise stand between its question and its answer, and the model would continue with theirs.
 */
export function showHistory(history: History, resuming?: string): ModelMessage[] {
  const others = history.items.filter((item) => item.task !== resuming);
  const own = history.items.filter((item) => item.task === resuming);
  const shown = notesOf(history);
  for (const { message } of [...others, ...own]) addShown(shown, message, history.results);
  return shown;
}

/** The messages that replace those no longer shown. */
export function notesOf({ summary, unsummarised = 0 }: Pick<History, "summary" | "unsummarised">): ModelMessage[] {
  const notes = [
    ...(summary === undefined ? [] : [summary]),
    ...(unsummarised === 0 ? [] : [outOfSightNote(unsummarised, summary !== undefined)]),
  ];
  return notes.length === 0 ? [] : [{ role: "user", content: [{ kind: "text", text: notes.join("\n\n") }] }];
}
