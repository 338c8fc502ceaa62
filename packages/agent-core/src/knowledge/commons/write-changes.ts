import type { Database, Row, Statement } from "../../database/index.ts";
import type { DeliveryPolicy, MemoryKind } from "../chunk.ts";
import { trustOf } from "../chunk-statements.ts";
import type { KnowledgeStore } from "../knowledge-store.ts";
import {
  removeShared,
  type SharedBody,
  type SharedMemory,
  sharedBody,
  sharedName,
  sharedVersion,
  stagedTag,
  syncFolder,
  writeShared,
} from "./commons-files.ts";
import { commonsStatements, sharingStatements } from "./commons-statements.ts";

/** Memories that are written together. */
const BITE = 50;

export interface WriteChangesOptions {
  readonly store: Pick<KnowledgeStore, "alone" | "read">;
  readonly folder: string;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
}

interface Change {
  readonly chunk: number;
  /** How often it changed: another number when it changed again since it was read. */
  readonly changes: number;
  /** Undefined: it is not in the commons, or is to be there no more. */
  readonly memory: SharedMemory | undefined;
  readonly name: string;
}

interface Link {
  readonly file: string;
  readonly version: string;
  readonly chunk: number;
  /** Digest of what was to be written there and is not known to be; blank: nothing. */
  readonly writing: string;
}

const commons = commonsStatements();
const sharing = sharingStatements();

/**
 * Writes memories that changed to the commons, and takes out those that are gone. On the disk when it resolves; a kill leaves
 * what is to be written again. False: another process wrote about the same, which is to be read first.
 * @throws Error where the commons cannot be written; the rest waits
 */
export async function writeChanges({ store, folder, makeFolder }: WriteChangesOptions): Promise<boolean> {
  for (;;) {
    const { changes, links, tag } = await store.read(readChanges);
    if (changes.length === 0) return true;
    // One that held something and is gone is not made anew: it may come back.
    if ((await store.read((db) => db.read(sharing.isLinked.bind({})))).length === 0) makeFolder(folder);
    if (await isBehind(folder, changes, links)) return false;
    const bodies = bodiesOf(changes);
    if (bodies.size > 0)
      await store.alone((db) => db.commit({ label: "knowledge.sharing", statements: intending(changes, bodies) }));
    const written = await writeFiles(folder, bodies, tag);
    const own = new Set(changes.map(({ chunk }) => chunk));
    const left = links.filter(({ file }) => !written.has(file));
    const heldByOthers = new Set(left.flatMap(({ file, chunk }) => (own.has(chunk) ? [] : [file])));
    for (const { file, version } of left) if (!heldByOthers.has(file)) await removeShared(folder, file, version);
    await syncFolder(folder);
    await store.alone((db) => db.commit({ label: "knowledge.shared", statements: noting(changes, links, written) }));
  }
}

async function readChanges(
  db: Pick<Database, "read" | "description">,
): Promise<{ readonly changes: readonly Change[]; readonly links: readonly Link[]; readonly tag: string }> {
  const changes = (await db.read(sharing.changed.bind({ limit: BITE }), "long")).map(changeOf);
  const chunks = JSON.stringify(changes.map(({ chunk }) => chunk));
  const names = JSON.stringify(changes.map(({ name }) => name));
  const links = await db.read(sharing.linksOf.bind({ chunks, names }), "long");
  return {
    ...{ changes, tag: stagedTag(db) },
    links: links.map(([file, version, chunk, writing]) => ({
      ...{ file: String(file), version: String(version), chunk: Number(chunk), writing: String(writing) },
    })),
  };
}

/** Whether a file that is to be written or removed is another one than this process knows. */
async function isBehind(folder: string, changes: readonly Change[], links: readonly Link[]): Promise<boolean> {
  const known = new Map<string, string>();
  for (const { file, version } of links) if (version !== "") known.set(file, version);
  const names = new Set([
    ...changes.flatMap(({ name, memory }) => (memory === undefined ? [] : [name])),
    ...links.flatMap(({ file, writing }) => (writing === "" ? [] : [file])),
  ]);
  const there = await Promise.all([...names].map(async (name) => [name, await sharedVersion(folder, name)] as const));
  return there.some(([name, version]) => version !== undefined && version !== known.get(name));
}

/** What each file is to hold. Of two memories with one name the newer one counts. */
function bodiesOf(changes: readonly Change[]): ReadonlyMap<string, SharedBody> {
  const bodies = new Map<string, SharedBody>();
  for (const { name, memory } of changes)
    if (memory !== undefined && !bodies.has(name)) bodies.set(name, sharedBody(memory));
  return bodies;
}

/** So that a process that finds the file knows whose it is, also where this one ends before it has noted the version. */
function intending(changes: readonly Change[], bodies: ReadonlyMap<string, SharedBody>): readonly Statement[] {
  return changes.flatMap(({ name, chunk, memory }) => {
    const body = memory && bodies.get(name);
    return body === undefined ? [] : [sharing.intend.bind({ file: name, chunk, writing: body.digest })];
  });
}

/** The version of each file that was written. */
async function writeFiles(
  folder: string,
  bodies: ReadonlyMap<string, SharedBody>,
  tag: string,
): Promise<ReadonlyMap<string, string>> {
  const written = await Promise.all(
    [...bodies].map(async ([name, body]) => [name, await writeShared(folder, name, body, tag)] as const),
  );
  return new Map(written);
}

function noting(
  changes: readonly Change[],
  links: readonly Link[],
  written: ReadonlyMap<string, string>,
): readonly Statement[] {
  const own = new Set(changes.map(({ chunk }) => chunk));
  const others = links.flatMap(({ file, chunk }) => {
    const version = own.has(chunk) ? undefined : written.get(file);
    return version === undefined ? [] : [commons.link.bind({ file, version, chunk })];
  });
  const noted = changes.flatMap(({ chunk, changes: times, memory, name }) => {
    const version = memory === undefined ? undefined : written.get(name);
    const stale = links.filter((one) => one.chunk === chunk && (version === undefined || one.file !== name));
    return [
      ...stale.map(({ file }) => commons.unlink.bind({ file, chunk })),
      ...(version === undefined ? [] : [commons.link.bind({ file: name, version, chunk })]),
      sharing.done.bind({ chunk, changes: times }),
    ];
  });
  return [...others, ...noted];
}

function changeOf(row: Row): Change {
  const [chunk, changes, domain, kind, subject, heading, key, content, policy, trust, ...rest] = row;
  const [created, confirmed, expires, source, isShared] = rest;
  const at = { chunk: Number(chunk), changes: Number(changes) };
  if (Number(isShared) === 0) return { ...at, memory: undefined, name: "" };
  const memory: SharedMemory = {
    ...{ content: String(content), domain: String(domain), heading: String(heading), subject: String(subject) },
    ...{ kind: String(kind) as MemoryKind, policy: String(policy) as DeliveryPolicy, trust: trustOf(trust) },
    ...{ created_at: Number(created), updated_at: Number(confirmed) },
    ...(expires != null && { expires_at: Number(expires) }),
  };
  return { ...at, memory, name: sharedName({ ...memory, isPart: Number(source) > 0 || key === "" }) };
}
