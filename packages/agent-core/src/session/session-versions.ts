/**
 * Versions of a conversation: what a turn was answered with when it was asked again, or asked otherwise. Each is a fork
 * before that turn, under the conversation it belongs to; nothing of the turn it stands beside is changed.
 *
 * Invariants
 *  SV1  A version is one commit: the fork, and the turn that begins in it. Every version stays, and is listed at its turn
 *       whichever of them is shown.
 *  SV2  Versions belong to one conversation: they are not listed beside it, have its title and place in the list, and go
 *       with it when it is deleted.
 *  SV3  Those of one conversation are added one after the other, so that there are never more than may be.
 *  SV4  None is added to a conversation that is being deleted, and its deletion waits for those that were begun.
 */
import { type Database, namedStatement, type Row } from "../database/index.ts";
import type { InputPart } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { contextKey, type RequestKey, TaskError, type TaskHandle } from "../task/index.ts";
import type { TaskOptions } from "../turn/index.ts";
import { type AskedMessage, askedMessage } from "./asked-again.ts";
import { forkStatements } from "./fork-statements.ts";
import type { SessionEditsOptions } from "./session-edits.ts";
import { IncognitoSessionError, TooManyVersionsError, UnknownSessionError, UnknownTurnError } from "./session-error.ts";
import type { TurnVersion } from "./session-turn.ts";

export interface SessionVersionsOptions extends SessionEditsOptions {
  /** Called once one was added. */
  readonly onAdded: () => void;
}

/** How a turn is asked again. */
export interface AskAgain {
  /** Instead of what the person wrote; absent: the same message. Its files stay. */
  readonly text?: string;
  /** Default: the one the turn was asked of. */
  readonly model?: string;
}

/** What is asked again. */
interface Added {
  readonly id: string;
  readonly turn: string;
  readonly how: AskAgain;
  readonly key: RequestKey | undefined;
}

/** Versions of one conversation. */
export const MOST_VERSIONS = 100;

const READ = namedStatement("SELECT id, version_of FROM session WHERE id = :id");
const TURN = namedStatement(
  "SELECT state FROM session_turn WHERE session = (SELECT no FROM session WHERE id = :id) AND task = :turn",
);
const BEFORE = namedStatement(
  "SELECT max(task) FROM session_turn WHERE session = (SELECT no FROM session WHERE id = :id) AND task < :turn",
);
const OPEN_UNTIL = namedStatement(
  `SELECT 1 FROM session_turn WHERE session = (SELECT no FROM session WHERE id = :id) AND task <= :turn
AND state IN ('queued', 'running', 'parked') LIMIT 1`,
);
const COUNT = namedStatement("SELECT count(*) FROM session WHERE version_of = :root");
const IS_INCOGNITO = namedStatement(
  `SELECT 1 FROM incognito_turn WHERE class = '${OPERATOR_CLASS}' AND context = :id AND (whole = 1 OR task = :turn) LIMIT 1`,
);
const FAMILY = `family AS (SELECT no, id FROM session WHERE id = :root OR version_of = :root)`;
/** What follows each turn behind which versions part, in each session that has that turn. */
const PLACES = namedStatement(
  `WITH ${FAMILY},
cut AS (SELECT DISTINCT fork.turn FROM family CROSS JOIN session_fork AS fork ON fork.session = family.no),
next AS (SELECT cut.turn, family.no, family.id, (SELECT min(task) FROM session_turn AS t WHERE t.session = family.no AND t.task > cut.turn) AS task
FROM cut CROSS JOIN family WHERE cut.turn = ''
OR EXISTS (SELECT 1 FROM session_turn AS t WHERE t.session = family.no AND t.task = cut.turn))
SELECT turn, task, id, (SELECT max(task) FROM session_turn AS t WHERE t.session = next.no) AS last FROM next
WHERE task IS NOT NULL ORDER BY task, last`,
);
const MEMBERS = namedStatement(
  `WITH ${FAMILY} SELECT family.id, coalesce(fork.turn, '') FROM family
LEFT JOIN session_fork AS fork ON fork.session = family.no AND family.id <> :root ORDER BY family.no`,
);

export class SessionVersions {
  readonly #options: SessionVersionsOptions;
  readonly #adding = new Set<Promise<unknown>>();
  /** The one that was begun last, by conversation. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: SessionVersionsOptions) {
    this.#options = options;
  }

  /**
   * Asks a turn's message again, or another in its place, in a version of the conversation of its own: the turn before is
   * the last one that the model is shown. What its tools do happens again.
   * @throws UnknownSessionError, UnknownTurnError, IncognitoSessionError, TooManyVersionsError
   * @throws TaskError context_busy where the turn has not ended, overloaded, draining
   */
  add(id: string, turn: string, how: AskAgain = {}, key?: RequestKey): Promise<TaskHandle> {
    const adding = this.#addOpen(id, turn, how, key);
    this.#adding.add(adding);
    const end = (): void => void this.#adding.delete(adding);
    adding.then(end, end);
    return adding;
  }

  /** Resolves when those that were begun are there. Called once a conversation takes none any more (SV4). */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#adding);
  }

  async #addOpen(id: string, turn: string, how: AskAgain, key: RequestKey | undefined): Promise<TaskHandle> {
    const { service, current } = this.#options;
    const known = key && (await service.byKey(OPERATOR_CLASS, key));
    if (known !== undefined) return known;
    await current();
    const root = await this.#rootOf(id);
    for (const context of [root, id]) service.gate.assertOpen(contextKey({ class: OPERATOR_CLASS, context }));
    const before = this.#last.get(root) ?? Promise.resolve();
    const work = (): Promise<TaskHandle> => this.#addTo(root, { id, turn, how, key });
    const added = before.then(work, work);
    this.#last.set(root, added);
    try {
      return await added;
    } finally {
      if (this.#last.get(root) === added) this.#last.delete(root);
    }
  }

  async #addTo(root: string, { id, turn, how, key }: Added): Promise<TaskHandle> {
    const { db, service, newId, bus } = this.#options;
    const { parts, options, role } = await this.#message(id, turn);
    const [count] = await db.read(COUNT.bind({ root }));
    if (Number(count?.[0]) >= MOST_VERSIONS) throw new TooManyVersionsError(MOST_VERSIONS);
    const [before] = await db.read(BEFORE.bind({ id, turn }));
    const fork = newId();
    const of = { class: OPERATOR_CLASS, context: fork };
    const statements = await forkStatements(this.#options, {
      ...{ id, fork, versionOf: root },
      turn: typeof before?.[0] === "string" ? before[0] : "",
    });
    const input = { messageId: newId(), parts: how.text === undefined ? parts : withText(parts, how.text) };
    const asked: TaskOptions = how.model === undefined ? options : { ...options, model: how.model };
    const ran = role !== undefined && { role };
    service.shareIncognito({ class: OPERATOR_CLASS, context: id }, of);
    // Its turn reads what the commit that accepts it writes.
    const handle = await service.gate.alone(of, () =>
      service.start({
        ...of,
        origin: "chat",
        input,
        options: asked,
        ...ran,
        isAskedAgain: how.text === undefined,
        alongside: () => statements,
        ...(key && { key }),
      }),
    );
    this.#options.onAdded();
    for (const session of [root, fork]) bus.publish("session.changed", { session_id: session });
    return handle;
  }

  async #message(id: string, turn: string): Promise<AskedMessage> {
    const { db } = this.#options;
    if ((await db.read(TURN.bind({ id, turn }))).length === 0) throw new UnknownTurnError(id, turn);
    if ((await db.read(IS_INCOGNITO.bind({ id, turn }))).length > 0) throw new IncognitoSessionError();
    if ((await db.read(OPEN_UNTIL.bind({ id, turn }))).length > 0) {
      throw new TaskError("context_busy", "that turn, or one before it, has not ended");
    }
    const asked = await askedMessage(this.#options, turn);
    if (asked === undefined) throw new UnknownTurnError(id, turn);
    return asked;
  }

  async #rootOf(id: string): Promise<string> {
    const [row] = await this.#options.db.read(READ.bind({ id }));
    if (row === undefined) throw new UnknownSessionError(id);
    return String(row[1] ?? row[0]);
  }
}

/** The message with another text; its files and data stay. */
function withText(parts: readonly InputPart[], text: string): readonly InputPart[] {
  return [{ kind: "text", text }, ...parts.filter(({ kind }) => kind !== "text")];
}

/**
 * The versions at each turn where a conversation has several, by the turns that are alternatives of each other. `shown`:
 * the session that is read, which shows its own turns.
 */
export async function turnVersions(
  db: Database,
  { root, shown }: { readonly root: string; readonly shown: string },
): Promise<ReadonlyMap<string, readonly TurnVersion[]>> {
  const places = new Map<string, Map<string, string>>();
  for (const [turn, task, session] of (await db.read(PLACES.bind({ root }))).map((row: Row) => row.map(String))) {
    const place = places.get(turn!) ?? new Map<string, string>();
    places.set(turn!, place);
    // In the order of their newest turns, so the last one counts.
    if (place.get(task!) !== shown) place.set(task!, session!);
  }
  const found = new Map<string, readonly TurnVersion[]>();
  for (const place of places.values()) {
    if (place.size < 2) continue;
    const versions = [...place].map(([task, session]) => ({ task, session }));
    for (const { task } of versions) found.set(task, versions);
  }
  return found;
}

/** The sessions of a conversation, the one that is listed and its versions, each with the last turn it took along. */
export async function versionSessions(
  db: Database,
  root: string,
): Promise<readonly { readonly id: string; readonly after: string }[]> {
  return (await db.read(MEMBERS.bind({ root }))).map(([id, after]) => ({ id: String(id), after: String(after) }));
}
