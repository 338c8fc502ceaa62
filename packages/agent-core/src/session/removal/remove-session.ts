/** How a session is removed. */
export interface RemoveSession {
  /** False: the session stays, empty, with its title. */
  readonly retire: boolean;
  /** What its turns stored is forgotten with it. */
  readonly forget?: boolean;
  /** Its versions stay (SD4). */
  readonly alone?: boolean;
}

/** What was forgotten with a session. */
export interface ForgottenCounts {
  readonly chunks: number;
  readonly frames: number;
  readonly summaries: number;
  readonly sources: number;
  readonly attachments: number;
}

/** Nothing was. */
export const NOTHING: ForgottenCounts = { chunks: 0, frames: 0, summaries: 0, sources: 0, attachments: 0 };

export function sumOf(one: ForgottenCounts, other: ForgottenCounts): ForgottenCounts {
  return {
    chunks: one.chunks + other.chunks,
    frames: one.frames + other.frames,
    summaries: one.summaries + other.summaries,
    sources: one.sources + other.sources,
    attachments: one.attachments + other.attachments,
  };
}
