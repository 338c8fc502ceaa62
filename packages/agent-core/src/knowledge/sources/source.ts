/** Documents that are read into chunks (K22 to K24). */

/** `receiving`, `queued` and `reading` pass; its chunks are shown while it is `ready` alone. */
export type SourceState = "receiving" | "queued" | "reading" | "ready" | "failed" | "removed";

/** A source. Times are epoch milliseconds. */
export interface Source {
  /** Never given twice. */
  readonly id: number;
  readonly state: SourceState;
  /** An address, or a place in a project; blank: it was handed over. */
  readonly uri: string;
  readonly name: string;
  readonly domain: string;
  /** Blank, or `attach:<session>`: recalled in that conversation alone. */
  readonly namespace: string;
  readonly title: string;
  /** Blank until it was read. */
  readonly type: string;
  readonly bytes: number;
  readonly chars: number;
  /** Chunks; 0 until it was read. */
  readonly total: number;
  /** Chunks that are stored. */
  readonly done: number;
  readonly errorCode: string;
  /** Why it failed, for people. */
  readonly error: string;
  readonly session: string;
  readonly createdAt: number;
  readonly removedAt: number | undefined;
}

/** A document as it comes in. */
export interface NewSource {
  readonly bytes: Uint8Array;
  readonly uri: string;
  /** A file name; it names no file. */
  readonly name: string;
  /** As declared, with parameters; blank: it was not. */
  readonly mediaType: string;
  readonly domain: string;
  readonly namespace: string;
  /** Blank: its own, else its name. */
  readonly title: string;
  /** Why its chunks wait for a person; undefined: they do not. */
  readonly held: string | undefined;
  readonly session: string;
  readonly task: string;
}

/** A document to be read; absent members are blank. */
export type Handed = Pick<NewSource, "bytes"> & Partial<NewSource>;

export const SOURCE_LIMITS = Object.freeze({
  /** Documents that wait to be read. */
  waiting: 100,
  /** Bytes of a document in one commit. */
  partBytes: 262_144,
  /** Chunks in one commit, which holds the store's other writers up for some milliseconds. */
  bite: 24,
  name: 200,
  title: 200,
  uri: 8_192,
});

/** The last part of a name, without what a terminal or a list could not show; `../../x` is `x`. */
export function shownName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return last
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, SOURCE_LIMITS.name)
    .toWellFormed();
}

/** The namespace of a conversation's attachments. */
export function attachmentsOf(session: string): string {
  return `attach:${session}`;
}
