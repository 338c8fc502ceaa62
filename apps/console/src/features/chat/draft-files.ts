import type { OutgoingFile } from "./live-turns.ts";

/** The files of what a person had begun, by draft: they survive a reload. */
export interface DraftFiles {
  /** Never rejects: what cannot be read is not there. */
  read(draft: string): Promise<readonly OutgoingFile[]>;
  /** Keeps them instead of those before; without files nothing is kept. */
  write(draft: string, files: readonly OutgoingFile[]): void;
}

/** A draft's files as they are listed: when they were written (epoch milliseconds), and how many characters they are. */
export interface KeptFiles {
  readonly draft: string;
  readonly at: number;
  readonly size: number;
}

/** Drafts with files that are kept. */
export const MOST_DRAFTS = 20;
/** Characters of base64 of all of them: three full messages. */
export const MOST_SIZE = 24_000_000;

const STORE = "draft-files";
const BY_TIME = "by-time";

/** Which drafts' files go, of all from the newest on: the newest stays, and what fits with it. */
export function beyondBounds(newestFirst: readonly KeptFiles[]): readonly string[] {
  let size = 0;
  return newestFirst.flatMap((kept, place) => {
    size += kept.size;
    return place >= MOST_DRAFTS || (place > 0 && size > MOST_SIZE) ? [kept.draft] : [];
  });
}

/**
 * Keeps files in the browser's database. Where it is refused or full, files last as long as the page. `open`: the database
 * of the page; it may throw.
 */
export function createDraftFiles(open: () => IDBFactory, now: () => number): DraftFiles {
  let opened: Promise<IDBDatabase> | undefined;
  const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    opened ??= openDatabase(open);
    return (await opened).transaction(STORE, mode).objectStore(STORE);
  };
  return {
    async read(draft) {
      try {
        const record = await answerOf((await store("readonly")).get(draft));
        return (record as { readonly files: readonly OutgoingFile[] } | undefined)?.files ?? [];
      } catch {
        return [];
      }
    },
    write(draft, files) {
      const size = files.reduce((all, { raw }) => all + raw.length, 0);
      store("readwrite")
        .then(async (all) => {
          if (files.length === 0) {
            await answerOf(all.delete(draft));
            return;
          }
          await answerOf(all.put({ draft, at: now(), size, files }));
          for (const name of beyondBounds(await listed(all))) all.delete(name);
        })
        .catch(() => {
          // Refused or full: they stay for the page's life.
        });
    },
  };
}

function openDatabase(factory: () => IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory().open("agent-service", 1);
    request.addEventListener("upgradeneeded", () => {
      const store = request.result.createObjectStore(STORE, { keyPath: "draft" });
      // With the size in the key, the files themselves are not read to find those that go.
      store.createIndex(BY_TIME, ["at", "size"]);
    });
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

function answerOf<TAnswer>(request: IDBRequest<TAnswer>): Promise<TAnswer> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

function listed(store: IDBObjectStore): Promise<readonly KeptFiles[]> {
  return new Promise((resolve, reject) => {
    const found: KeptFiles[] = [];
    const request = store.index(BY_TIME).openKeyCursor(null, "prev");
    request.addEventListener("error", () => reject(request.error));
    request.addEventListener("success", () => {
      const cursor = request.result;
      if (cursor === null) {
        resolve(found);
        return;
      }
      const { key, primaryKey: draft } = cursor;
      const [at, size] = Array.isArray(key) ? key : [];
      if (typeof draft === "string") found.push({ draft, at: Number(at), size: Number(size) });
      cursor.continue();
    });
  });
}
