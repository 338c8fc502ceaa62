/** What a person had begun in a session: it survives a reload. */
export interface Draft {
  readonly text: string;
  /** Blank: the one that leads. */
  readonly model: string;
  readonly incognito: boolean;
}

/** Nothing begun. */
export const NO_DRAFT: Draft = { text: "", model: "", incognito: false };

/** A draft with a text that comes back put before what was begun meanwhile. */
export function withTakenBack(draft: Draft, text: string): Draft {
  return { ...draft, text: [text, draft.text].filter((part) => part !== "").join("\n\n") };
}

/** Drafts by session. */
export interface Drafts {
  read(session: string): Draft;
  write(session: string, draft: Draft): void;
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

const KEY = "agent-service.drafts";
const MOST = 50;

/** Keeps the drafts of the sessions written to last. Where storage is off, for as long as the page lives. */
export function createDrafts(storage: () => Storage): Drafts {
  let drafts: readonly (readonly [string, Draft])[] | undefined;
  const all = (): readonly (readonly [string, Draft])[] => {
    try {
      drafts = readDrafts(storage().getItem(KEY));
    } catch {
      drafts ??= [];
    }
    return drafts;
  };
  return {
    read: (session) => all().find(([name]) => name === session)?.[1] ?? NO_DRAFT,
    write(session, draft) {
      const others = all().filter(([name]) => name !== session);
      const empty = draft.text === "" && draft.model === "" && !draft.incognito;
      drafts = empty ? others : [...others, [session, draft] as const].slice(-MOST);
      try {
        storage().setItem(KEY, JSON.stringify(drafts));
      } catch {
        // Off or full: it stays for the page's life.
      }
    },
  };
}

function readDrafts(kept: string | null): readonly (readonly [string, Draft])[] {
  const value: unknown = kept === null ? [] : JSON.parse(kept);
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string" || typeof entry[1] !== "object") return [];
    const { text, model, incognito } = (entry[1] ?? {}) as { readonly [key in keyof Draft]?: unknown };
    const draft = {
      text: typeof text === "string" ? text : "",
      model: typeof model === "string" ? model : "",
      incognito: incognito === true,
    };
    return [[entry[0], draft] as const];
  });
}
