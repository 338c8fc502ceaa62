/** Putting memories into the commons, and taking them out (K26). */
import { DatabaseError } from "../../database/index.ts";
import { type Chunk, COMMONS, folded } from "../chunk.ts";
import { KnowledgeError } from "../knowledge-error.ts";
import type { KnowledgeStore } from "../knowledge-store.ts";
import {
  type Named,
  removeShared,
  sharedBody,
  sharedName,
  stagedTag,
  syncFolder,
  writeShared,
} from "./commons-files.ts";
import type { CommonsMirror } from "./commons-mirror.ts";
import type { CommonsPlace } from "./commons-place.ts";
import { commonsStatements } from "./commons-statements.ts";

export interface CommonsOptions {
  readonly store: Pick<KnowledgeStore, "read" | "find">;
  readonly exists: () => boolean;
  readonly mirror: Pick<CommonsMirror, "sync" | "writeOut">;
  readonly place: () => CommonsPlace;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
}

/** What the commons hold of what a memory is about: nothing, its text, or another one. */
export type HeldInCommons = "nothing" | "same" | "other";

/** What the agents of a home share of their memories. */
export class Commons {
  readonly #options: CommonsOptions;
  readonly #sql = commonsStatements();

  constructor(options: CommonsOptions) {
    this.#options = options;
  }

  /**
   * Copies a memory into the commons, where it replaces what is there of its subject. On the disk when it resolves.
   * @throws KnowledgeError not_layered, unknown_chunk, not_shareable, commons_unwritable
   */
  async promote(id: number): Promise<void> {
    const folder = this.#folder();
    const chunk = await this.#known(id);
    const why = unshareable(chunk);
    if (why !== undefined) throw new KnowledgeError("not_shareable", `memory ${id} cannot be shared: ${why}`);
    const { content, domain, heading, subject, kind, policy, trust, createdAt, confirmedAt } = chunk;
    const memory = { content, domain, heading, subject, kind, policy, trust };
    const times = { created_at: createdAt, updated_at: confirmedAt };
    const expires = chunk.expiresAt !== undefined && { expires_at: chunk.expiresAt };
    await this.#change(async () => {
      this.#options.makeFolder(folder);
      const tag = await this.#options.store.read(async (db) => stagedTag(db));
      await writeShared(folder, nameOf(chunk), sharedBody({ ...memory, ...times, ...expires }), tag);
      await syncFolder(folder);
    });
  }

  /**
   * Takes a memory out of the commons, named by the own one or by that of the commons; the own one stays.
   * @throws KnowledgeError not_layered, unknown_chunk, not_shareable, commons_unwritable
   */
  async withdraw(id: number): Promise<void> {
    const folder = this.#folder();
    const chunk = await this.#known(id);
    const [row] =
      chunk.namespace === COMMONS ? await this.#options.store.read((db) => db.read(this.#sql.fileOf.bind({ id }))) : [];
    const file = row === undefined ? nameOf(chunk) : String(row[0]);
    await this.#change(async () => {
      if (!(await removeShared(folder, file)))
        throw new KnowledgeError("not_shareable", `memory ${id} is not in the commons`);
      await syncFolder(folder);
    });
  }

  /** What the commons hold of each memory, in the same order; undefined: it cannot be shared. @throws DatabaseError */
  async held(chunks: readonly Chunk[]): Promise<readonly (HeldInCommons | undefined)[]> {
    if (this.#folderBeside() === "" || chunks.length === 0) return chunks.map(() => undefined);
    const names = chunks.map((chunk) => (unshareable(chunk) === undefined ? nameOf(chunk) : undefined));
    const files = JSON.stringify([...new Set(names.filter((name) => name !== undefined))]);
    const rows = await this.#options.store.read((db) => db.read(this.#sql.held.bind({ files })));
    const texts = new Map(rows.map(([file, content]) => [String(file), folded(String(content))]));
    return chunks.map((chunk, at) => {
      if (chunk.namespace === COMMONS) return "same";
      const name = names[at];
      if (name === undefined) return undefined;
      const text = texts.get(name);
      if (text === undefined) return "nothing";
      return text === folded(chunk.content) ? "same" : "other";
    });
  }

  /** Whether a memory is one of the commons, and not this agent's alone. */
  isOfCommons(chunk: Chunk): boolean {
    return chunk.namespace === COMMONS || (this.#options.place().isShared && unshareable(chunk) === undefined);
  }

  /**
   * Takes what is hidden out of the commons, where memories are kept there. On the disk when it resolves.
   * @throws KnowledgeError commons_unwritable @throws DatabaseError
   */
  withdrawHidden(): Promise<void> {
    return written(() => this.#options.mirror.writeOut());
  }

  async #change(change: () => Promise<void>): Promise<void> {
    await written(change);
    await this.#options.mirror.sync();
  }

  /** Where memories are read beside the own ones; blank: they are not. */
  #folderBeside(): string {
    const { folder, isShared } = this.#options.place();
    return isShared ? "" : folder;
  }

  #folder(): string {
    const folder = this.#folderBeside();
    if (folder === "")
      throw new KnowledgeError("not_layered", "memories are shared only where knowledge.scope is layered");
    return folder;
  }

  async #known(id: number): Promise<Chunk> {
    const chunk = this.#options.exists() ? await this.#options.store.find(id) : undefined;
    if (chunk === undefined) throw new KnowledgeError("unknown_chunk", `there is no memory ${id}`);
    return chunk;
  }
}

async function written(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof KnowledgeError || error instanceof DatabaseError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new KnowledgeError("commons_unwritable", `the commons cannot be written (${code})`, { cause: error });
  }
}

function nameOf({ source, ...memory }: Chunk): string {
  return sharedName({ ...memory, isPart: source !== undefined } satisfies Named);
}

/** Why a memory stays with its agent; undefined: it need not. */
function unshareable({ review, invalidatedAt, domain, namespace }: Chunk): string | undefined {
  if (namespace === COMMONS) return "it is in the commons";
  if (namespace !== "") return "it is attached to a conversation";
  if (review !== "accepted") return review === "pending" ? "it waits for review" : "it was rejected";
  if (invalidatedAt !== undefined) return "another one holds in its place";
  return domain === "conversation" ? "it sums up a conversation" : undefined;
}
