import type { Database, Statement } from "../../database/index.ts";
import { COMMONS } from "../chunk.ts";
import { trustNumber } from "../chunk-statements.ts";
import { saysTheSame } from "../decide-write.ts";
import { indexedText } from "../search-words.ts";
import { type SharedFile, type SharedMemory, sharedKey } from "./commons-files.ts";
import { commonsStatements, sharingStatements } from "./commons-statements.ts";

/** A file of the commons as it was when it was read or written last, and the rows that say what it says; 0: it is no memory. */
export interface KnownFile extends SharedFile {
  readonly chunks: readonly number[];
  /** Digests of what this process, or a former one, was about to write there and did not note. */
  readonly writing: ReadonlySet<string>;
}

/** A file of the commons that is another one now, or gone. */
export interface ChangedFile extends SharedFile {
  /** Undefined: it is no memory, or none that this process can read. */
  readonly memory?: SharedMemory | undefined;
  /** Of what it holds; blank: it is gone. */
  readonly digest: string;
  readonly known: KnownFile | undefined;
  readonly isGone?: boolean;
}

const OPERATOR = trustNumber("operator");
const commons = commonsStatements();
const sharing = sharingStatements();

/**
 * What makes the rows follow a file. What this process wrote and has not put there yet stays: it was said later. Call it while
 * nothing else is written. @throws DatabaseError
 */
export async function takeFile(
  db: Database,
  { name, version, memory, digest, known, isGone = false }: ChangedFile,
  isShared: boolean,
): Promise<readonly Statement[]> {
  const linked = known?.chunks ?? [];
  const chunks = JSON.stringify(linked);
  const changed = new Set(
    isShared ? (await db.read(sharing.changedOf.bind({ chunks }))).map(([chunk]) => Number(chunk)) : [],
  );
  const isOwn = (chunk: number): boolean => changed.has(chunk);
  const unlink = (chunk: number): Statement => commons.unlink.bind({ file: name, chunk });
  // Written by a process that ended before it noted so: what the rows say is that, or was said later.
  if (known?.writing.has(digest) === true)
    return linked.map((chunk) => (chunk === 0 ? unlink(chunk) : commons.link.bind({ file: name, version, chunk })));
  const drop = (chunk: number): Statement[] => [unlink(chunk), commons.remove.bind({ chunk })];
  if (isGone || memory === undefined)
    return [
      ...linked.flatMap((chunk) => (isOwn(chunk) ? [unlink(chunk)] : drop(chunk))),
      // One that cannot be read is known, so that it is not read again and again.
      ...(isGone ? [] : [commons.link.bind({ file: name, version, chunk: 0 })]),
    ];
  const bound = boundOf(name, memory, isShared);
  const followers = linked.filter((chunk) => chunk > 0 && !isOwn(chunk));
  const others = linked.filter((chunk) => !followers.includes(chunk)).map(unlink);
  if (followers.length > 0)
    return [
      ...others,
      ...followers.flatMap((chunk) => [
        ...replacing(chunk, bound),
        commons.link.bind({ file: name, version, chunk }),
        sharing.forgetChange.bind({ chunk }),
      ]),
    ];
  const added = [commons.insert.bind(bound), commons.note.bind({ file: name, version }), sharing.forgetNewest.bind({})];
  if (!isShared) return [...others, ...added];
  const { key, domain, kind, content, trust } = bound;
  const [row] = await db.read(sharing.standing.bind({ key, domain, kind, content }));
  if (row === undefined) return [...others, ...added];
  const [id, text, trusted] = [Number(row[0]), String(row[1]), Number(row[2])];
  const link = [commons.link.bind({ file: name, version, chunk: id }), sharing.again.bind({ chunk: id })];
  // What the operator said elsewhere is not replaced by what an agent said here (K7).
  if (!saysTheSame(text, content) && trust === OPERATOR && trusted < OPERATOR)
    return [...others, sharing.hold.bind({ id }), ...added];
  return [...others, ...link];
}

function boundOf(name: string, memory: SharedMemory, isShared: boolean) {
  const { domain, heading, subject, kind, policy, content, created_at: created, updated_at: updated } = memory;
  return {
    ...{ domain, heading, subject, kind, policy, content, created, updated, trust: trustNumber(memory.trust) },
    ...{ searchTitle: indexedText(`${subject} ${heading}`) ?? null, searchText: indexedText(content) ?? null },
    ...{ expires: memory.expires_at ?? null, key: isShared ? sharedKey(name, memory) : "" },
    namespace: isShared ? "" : COMMONS,
  };
}

function replacing(id: number, { created: _, namespace: __, ...bound }: ReturnType<typeof boundOf>): Statement[] {
  return [
    commons.unindex.bind({ id }),
    commons.replace.bind({ id, ...bound }),
    commons.index.bind({ id }),
    commons.unmerge.bind({}),
  ];
}
