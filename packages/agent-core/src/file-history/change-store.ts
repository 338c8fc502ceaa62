import { type Database, namedStatement, type Row, type Statement, type Value } from "../database/index.ts";
import type {
  ChangeOperation,
  ChangeOrigin,
  ChangeState,
  FileChange,
  IrreversibleReason,
  NewChange,
} from "./file-change.ts";

/** Which changes are meant. A task counts with what it delegated; a conversation with what its turns did. */
export type ChangeFilter =
  | { readonly session: string }
  | { readonly task: string }
  | { readonly project: string }
  | { readonly ids: readonly string[] };

/** What is kept of a file's former content. */
export interface ImageRow {
  readonly digest: string;
  readonly bytes: number;
  readonly at: number;
}

const COLUMNS = [
  ...["id", "call", "task", "class", "context", "project", "root", "path", "op", "origin", "before", "after"],
  ...["before_mode", "after_mode", "bytes", "added", "removed", "state", "reason", "undo", "undoes", "undone_by", "at"],
  "uncertain",
].join(", ");

/** The context of the turn that a task belongs to, through whatever delegated it. */
const TURN_CONTEXT = `(WITH RECURSIVE up (context, parent) AS (
SELECT context, parent FROM task WHERE id = :task
UNION ALL SELECT t.context, t.parent FROM up CROSS JOIN task AS t ON t.id = up.parent)
SELECT context FROM up WHERE parent IS NULL)`;

/** A task and what it delegated, however deep. */
const WITH_DELEGATED = `WITH RECURSIVE below (id) AS (SELECT :task
UNION SELECT child.id FROM below CROSS JOIN task AS child ON child.parent = below.id WHERE child.parent IS NOT NULL)`;

const PAGE = "id < coalesce(:before, '~') ORDER BY id DESC LIMIT :limit";
const OF_UNDO = "(SELECT undoes FROM file_change WHERE id = :id AND undoes <> '')";

const SQL = {
  insert: namedStatement(
    `INSERT INTO file_change (${COLUMNS}) VALUES (:id, :call, :task, :class, coalesce(${TURN_CONTEXT}, ''), :project, :root,
:path, :op, :origin, :before, :after, :beforeMode, :afterMode, :bytes, :added, :removed, :state, :reason, :undo, :undoes,
NULL, :at, :uncertain)`,
  ),
  done: namedStatement("UPDATE file_change SET state = 'done' WHERE id = :id"),
  takenBack: namedStatement(
    `UPDATE file_change SET undone_by = :id WHERE id IN (SELECT value FROM json_each(${OF_UNDO}))`,
  ),
  /** Taking back an undo puts in effect again what it took back. */
  inEffectAgain: namedStatement(
    `UPDATE file_change SET undone_by = NULL WHERE undone_by IS NOT NULL AND undone_by IN (
SELECT id FROM file_change WHERE undoes <> '' AND id IN (SELECT value FROM json_each(${OF_UNDO})))`,
  ),
  remove: namedStatement("DELETE FROM file_change WHERE id = :id"),
  removeOfTask: namedStatement("DELETE FROM file_change WHERE task = :task"),
  imagesOfTasks: namedStatement(
    "SELECT DISTINCT before FROM file_change WHERE task IN (SELECT value FROM json_each(:tasks))",
  ),
  byCall: namedStatement(
    `SELECT ${COLUMNS} FROM file_change WHERE task = :task AND call = :call ORDER BY id DESC LIMIT 1`,
  ),
  intended: namedStatement(
    `SELECT ${COLUMNS} FROM file_change WHERE state = 'intended' AND id > :after ORDER BY id LIMIT :limit`,
  ),
  ofSession: namedStatement(
    `SELECT ${COLUMNS} FROM file_change WHERE class = 'operator' AND context = :session AND ${PAGE}`,
  ),
  ofTask: namedStatement(
    `${WITH_DELEGATED} SELECT ${COLUMNS} FROM file_change WHERE task IN (SELECT id FROM below) AND ${PAGE}`,
  ),
  ofProject: namedStatement(`SELECT ${COLUMNS} FROM file_change WHERE project = :project AND ${PAGE}`),
  byIds: namedStatement(
    `SELECT ${COLUMNS} FROM file_change WHERE id IN (SELECT value FROM json_each(:ids)) AND ${PAGE}`,
  ),
  since: namedStatement(
    `SELECT ${COLUMNS} FROM file_change WHERE project = :project AND id > :after ORDER BY id LIMIT :limit`,
  ),
  ofCommand: namedStatement(
    "SELECT root, path FROM file_change WHERE task = :task AND call = :call AND origin = 'command'",
  ),
  running: namedStatement(
    `SELECT 1 FROM task WHERE id IN (SELECT value FROM json_each(:tasks)) AND state IN ('queued', 'running') LIMIT 1`,
  ),
  taskExists: namedStatement("SELECT 1 FROM task WHERE id = :task"),
  delegated: namedStatement(`${WITH_DELEGATED} SELECT id FROM below`),
  keepImage: namedStatement(
    "INSERT INTO file_image (digest, bytes, at) VALUES (:digest, :bytes, :at) ON CONFLICT (digest) DO UPDATE SET at = excluded.at",
  ),
  imageBytes: namedStatement("SELECT coalesce(sum(bytes), 0) FROM file_image"),
  oldestImages: namedStatement("SELECT digest, bytes, at FROM file_image ORDER BY at, digest LIMIT :limit"),
  hasImage: namedStatement("SELECT 1 FROM file_image WHERE digest = :digest"),
  unneeded: namedStatement(
    `SELECT digest, bytes, at FROM file_image AS i WHERE NOT EXISTS (
SELECT 1 FROM file_change AS c WHERE c.before = i.digest AND c.before IS NOT NULL AND c.reason = '') LIMIT :limit`,
  ),
  expire: namedStatement(
    "UPDATE file_change SET reason = 'expired' WHERE before = :digest AND before IS NOT NULL AND reason = ''",
  ),
  dropUnneeded: namedStatement(
    `DELETE FROM file_image WHERE digest = :digest AND NOT EXISTS (
SELECT 1 FROM file_change AS c WHERE c.before = file_image.digest AND c.before IS NOT NULL AND c.reason = '')`,
  ),
  dropImage: namedStatement("DELETE FROM file_image WHERE digest = :digest"),
  /** Changes whose turn keeps no detail any more (R14), oldest first. */
  withoutJournal: namedStatement(
    `SELECT DISTINCT task FROM file_change AS c WHERE at < :before AND NOT EXISTS (SELECT 1 FROM event AS e WHERE e.task = c.task
AND e.kind IN ('tool.started', 'tool.finished')) LIMIT :limit`,
  ),
};

/** The rows of changes and images. */
export class ChangeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Commits changes that are about to be made, and the images they need. @throws DatabaseError */
  async intend(changes: readonly NewChange[], images: readonly ImageRow[]): Promise<void> {
    const statements = [
      ...images.map(({ digest, bytes, at }) => SQL.keepImage.bind({ digest, bytes, at })),
      ...changes.map((change) => SQL.insert.bind({ ...valuesOf(change), state: "intended" })),
    ];
    await this.#db.commit({ label: "file-change.intended", statements });
  }

  /** Commits changes that a command made, and the images they need. @throws DatabaseError */
  async record(changes: readonly NewChange[], images: readonly ImageRow[]): Promise<void> {
    const statements = [
      ...images.map(({ digest, bytes, at }) => SQL.keepImage.bind({ digest, bytes, at })),
      ...changes.map((change) => SQL.insert.bind({ ...valuesOf(change), state: "done" })),
    ];
    await this.#db.commit({ label: "file-change.recorded", statements });
  }

  /** Changes of a project that are newer than `after`, oldest first. */
  async since(project: string, after: string, limit: number): Promise<readonly FileChange[]> {
    return (await this.#db.read(SQL.since.bind({ project, after, limit }))).map(changeOf);
  }

  /** The files of which a command's changes are recorded, by their real paths. */
  async placesOfCommand(task: string, call: string): Promise<ReadonlySet<string>> {
    const rows = await this.#db.read(SQL.ofCommand.bind({ task, call }));
    return new Set(rows.map(([root, path]) => `${String(root)}/${String(path)}`));
  }

  /** Commits that changes were made. @throws DatabaseError */
  async done(ids: readonly string[]): Promise<void> {
    await this.#db.commit({ label: "file-change.done", statements: ids.map((id) => SQL.done.bind({ id })) });
  }

  /** Commits that changes that take others back were made. @throws DatabaseError */
  async undone(ids: readonly string[]): Promise<void> {
    const statements = ids.flatMap((id) =>
      [SQL.done, SQL.inEffectAgain, SQL.takenBack].map((statement) => statement.bind({ id })),
    );
    await this.#db.commit({ label: "file-change.undone", statements });
  }

  /** Commits that changes were not made: nothing of them stays. @throws DatabaseError */
  async notDone(ids: readonly string[]): Promise<void> {
    await this.#db.commit({ label: "file-change.void", statements: ids.map((id) => SQL.remove.bind({ id })) });
  }

  /** What changes of these tasks need; undefined: they have no changes. */
  async imagesOfTasks(tasks: readonly string[]): Promise<readonly string[] | undefined> {
    const rows = await this.#db.read(SQL.imagesOfTasks.bind({ tasks: JSON.stringify(tasks) }));
    return rows.length === 0 ? undefined : rows.flatMap(([digest]) => (digest === null ? [] : [String(digest)]));
  }

  /** Their names are not found in the file any more. */
  async removeOfTasks(tasks: readonly string[]): Promise<void> {
    const statements = tasks.map((task) => SQL.removeOfTask.bind({ task }));
    await this.#db.commit({ label: "file-change.forget", statements, overwrite: true });
  }

  /** The last change of a call. */
  async ofCall(task: string, call: string): Promise<FileChange | undefined> {
    const [row] = await this.#db.read(SQL.byCall.bind({ task, call }));
    return row && changeOf(row);
  }

  /** Changes that may have been made or not, oldest first. `after`: the last one of the page before. */
  async intended(after: string, limit: number): Promise<readonly FileChange[]> {
    return (await this.#db.read(SQL.intended.bind({ after, limit }))).map(changeOf);
  }

  /** Newest first. `before`: the last one of the page before. */
  async list(filter: ChangeFilter, limit: number, before?: string): Promise<readonly FileChange[]> {
    return (await this.#db.read(listStatement(filter, { limit, before: before ?? null }))).map(changeOf);
  }

  async isRunning(tasks: readonly string[]): Promise<boolean> {
    return (await this.#db.read(SQL.running.bind({ tasks: JSON.stringify(tasks) }))).length > 0;
  }

  async taskExists(task: string): Promise<boolean> {
    return (await this.#db.read(SQL.taskExists.bind({ task }))).length > 0;
  }

  /** A task and what it delegated. */
  async withDelegated(task: string): Promise<readonly string[]> {
    return (await this.#db.read(SQL.delegated.bind({ task }))).map(([id]) => String(id));
  }

  /** Bytes of all images on the disk. */
  async imageBytes(): Promise<number> {
    const [row] = await this.#db.read(SQL.imageBytes.bind({}));
    return Number(row?.[0] ?? 0);
  }

  async hasImage(digest: string): Promise<boolean> {
    return (await this.#db.read(SQL.hasImage.bind({ digest }))).length > 0;
  }

  async oldestImages(limit: number): Promise<readonly ImageRow[]> {
    return (await this.#db.read(SQL.oldestImages.bind({ limit }))).map(imageOf);
  }

  /** Images that no change needs. */
  async unneededImages(limit: number): Promise<readonly ImageRow[]> {
    return (await this.#db.read(SQL.unneeded.bind({ limit }), "long")).map(imageOf);
  }

  /** Gives images up: changes that need one cannot be taken back any more. */
  async dropImages(digests: readonly string[]): Promise<void> {
    const statements = digests.flatMap((digest) => [SQL.expire.bind({ digest }), SQL.dropImage.bind({ digest })]);
    await this.#db.commit({ label: "file-change.images", statements });
  }

  /** Forgets images that still no change needs. @throws DatabaseError */
  async dropUnneeded(digests: readonly string[]): Promise<void> {
    const statements = digests.map((digest) => SQL.dropUnneeded.bind({ digest }));
    await this.#db.commit({ label: "file-change.images", statements });
  }

  /** Tasks with changes before `before` of which the journal keeps no calls any more. */
  async tasksWithoutJournal(before: number, limit: number): Promise<readonly string[]> {
    return (await this.#db.read(SQL.withoutJournal.bind({ before, limit }), "long")).map(([task]) => String(task));
  }
}

function listStatement(filter: ChangeFilter, page: Readonly<Record<string, Value>>): Statement {
  if ("session" in filter) return SQL.ofSession.bind({ session: filter.session, ...page });
  if ("task" in filter) return SQL.ofTask.bind({ task: filter.task, ...page });
  if ("project" in filter) return SQL.ofProject.bind({ project: filter.project, ...page });
  return SQL.byIds.bind({ ids: JSON.stringify(filter.ids), ...page });
}

function valuesOf(change: NewChange): Readonly<Record<string, Value>> {
  const { id, call, task, class: callerClass, project, root, path, origin, bytes, added, removed, undo, at } = change;
  return {
    ...{ id, call, task, class: callerClass, project, root, path, origin, bytes, added, removed, undo, at },
    op: change.operation,
    before: change.before ?? null,
    after: change.after ?? null,
    beforeMode: change.beforeMode ?? null,
    afterMode: change.afterMode ?? null,
    reason: change.reason ?? "",
    undoes: change.undoes.length === 0 ? "" : JSON.stringify(change.undoes),
    uncertain: change.uncertain ? 1 : 0,
  };
}

function imageOf([digest, bytes, at]: Row): ImageRow {
  return { digest: String(digest), bytes: Number(bytes), at: Number(at) };
}

const textOf = (value: Value | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);
const numberOf = (value: Value | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

function changeOf(row: Row): FileChange {
  const [id, call, task, callerClass, context, project, root, path, operation, origin, before, after, ...rest] = row;
  const [beforeMode, afterMode, bytes, added, removed, state, reason, undo, undoes, undoneBy, at, uncertain] = rest;
  return {
    ...{ id: String(id), call: String(call), task: String(task), class: String(callerClass), context: String(context) },
    ...{ project: String(project), root: String(root), path: String(path) },
    operation: String(operation) as ChangeOperation,
    origin: String(origin) as ChangeOrigin,
    ...{ before: textOf(before), after: textOf(after) },
    ...{ beforeMode: numberOf(beforeMode), afterMode: numberOf(afterMode) },
    ...{ bytes: Number(bytes), added: Number(added), removed: Number(removed) },
    state: String(state) as ChangeState,
    reason: reason === "" ? undefined : (String(reason) as IrreversibleReason),
    undo: String(undo),
    undoes: undoes === "" ? [] : (JSON.parse(String(undoes)) as readonly string[]),
    undoneBy: textOf(undoneBy),
    uncertain: Number(uncertain) === 1,
    at: Number(at),
  };
}
