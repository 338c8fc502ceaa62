/** A message a person has not sent yet; survives a reload. */
export interface Draft {
  readonly text: string;
  /** Empty for the default model. */
  readonly model: string;
  /** Reasoning effort; empty: as the settings have it. */
  readonly effort: string;
  readonly incognito: boolean;
}

export const NO_DRAFT: Draft = { text: "", model: "", effort: "", incognito: false };

/** Puts the text of a message that could not be sent before the draft's own. */
export function withUnsent(draft: Draft, text: string): Draft {
  return { ...draft, text: [text, draft.text].filter((part) => part !== "").join("\n\n") };
}

/** Drafts by session. */
export interface Drafts {
  read(session: string): Draft;
  write(session: string, draft: Draft): void;
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

const KEY = "agent-service.drafts";
const MAX_DRAFTS = 50;

/** Creates the drafts of the 50 sessions written to last. Where storage is refused, they last as long as the page. */
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
      const empty = draft.text === "" && draft.model === "" && draft.effort === "" && !draft.incognito;
      drafts = empty ? others : [...others, [session, draft] as const].slice(-MAX_DRAFTS);
      try {
        storage().setItem(KEY, JSON.stringify(drafts));
      } catch {
        // Refused or full: the draft lasts as long as the page.
      }
    },
  };
}

function readDrafts(kept: string | null): readonly (readonly [string, Draft])[] {
  const value: unknown = kept === null ? [] : JSON.parse(kept);
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string" || typeof entry[1] !== "object") return [];
    const { text, model, effort, incognito } = (entry[1] ?? {}) as { readonly [key in keyof Draft]?: unknown };
    const draft = {
      text: typeof text === "string" ? text : "",
      model: typeof model === "string" ? model : "",
      effort: typeof effort === "string" ? effort : "",
      incognito: incognito === true,
    };
    return [[entry[0], draft] as const];
  });
}
