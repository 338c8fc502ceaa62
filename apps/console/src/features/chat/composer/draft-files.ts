import type { OutgoingFile } from "../live/outgoing-message.ts";

/** The files of drafts; survive a reload. */
export interface DraftFiles {
  /** Never rejects. Undefined: the files cannot be read, and there may be some. */
  read(draft: string): Promise<readonly OutgoingFile[] | undefined>;
  /** Replaces the files of a draft; an empty list deletes them. */
  write(draft: string, files: readonly OutgoingFile[]): void;
}

/** The files of one draft: when they were written (epoch milliseconds) and their size in characters of base64. */
export interface KeptFiles {
  readonly draft: string;
  readonly at: number;
  readonly size: number;
}

/** Maximum number of drafts with files. */
export const MAX_DRAFTS = 20;
/** Maximum size of all files in characters of base64: three full messages. */
export const MAX_SIZE = 24_000_000;

const STORE = "draft-files";
const BY_TIME = "by-time";

/** Returns the drafts whose files are deleted to stay within the bounds. The newest always stays. */
export function beyondBounds(newestFirst: readonly KeptFiles[]): readonly string[] {
  let size = 0;
  return newestFirst.flatMap((kept, index) => {
    size += kept.size;
    return index >= MAX_DRAFTS || (index > 0 && size > MAX_SIZE) ? [kept.draft] : [];
  });
}

/**
 * Creates a store of draft files in IndexedDB. Where it is refused or full, files last as long as the page. `open` returns
 * the page's database factory; it may throw.
 */
export function createDraftFiles(open: () => IDBFactory, now: () => number): DraftFiles {
  let opened: Promise<IDBDatabase> | undefined;
  const once = async <TResult>(mode: IDBTransactionMode, act: Act<TResult>): Promise<TResult> => {
    opened ??= openDatabase(open);
    return act((await opened).transaction(STORE, mode).objectStore(STORE));
  };
  /** Browsers close databases, and fail to open them while they are busy: tries a second time. */
  const within = <TResult>(mode: IDBTransactionMode, act: Act<TResult>): Promise<TResult> =>
    once(mode, act).catch(() => {
      opened = undefined;
      return once(mode, act);
    });
  return {
    read: (draft) =>
      within("readonly", async (all) => {
        const record = await resultOf(all.get(draft));
        return (record as { readonly files: readonly OutgoingFile[] } | undefined)?.files ?? [];
      }).catch(() => {
        opened = undefined;
        return undefined;
      }),
    write(draft, files) {
      const size = files.reduce((all, { raw }) => all + raw.length, 0);
      within("readwrite", async (all) => {
        if (files.length === 0) {
          await resultOf(all.delete(draft));
          return;
        }
        await resultOf(all.put({ draft, at: now(), size, files }));
        for (const name of beyondBounds(await listed(all))) all.delete(name);
      }).catch(() => {
        // Refused or full: the files last as long as the page.
        opened = undefined;
      });
    },
  };
}

type Act<TResult> = (store: IDBObjectStore) => Promise<TResult>;

function openDatabase(factory: () => IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory().open("agent-service", 1);
    request.addEventListener("upgradeneeded", () => {
      const store = request.result.createObjectStore(STORE, { keyPath: "draft" });
      // With the size in the key, the files themselves are not read to find those to delete.
      store.createIndex(BY_TIME, ["at", "size"]);
    });
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

function resultOf<TResult>(request: IDBRequest<TResult>): Promise<TResult> {
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
