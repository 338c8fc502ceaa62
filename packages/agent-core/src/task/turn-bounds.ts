/** How many turns there may be, and what they may hold. Asked at each decision, so a changed one counts at once. */
export interface TurnBounds {
  /** Turns that work at a time: run tools, or read their conversation (S7). */
  readonly maxRunning: number;
  /** Turns begun at a time, those that wait for their model included. */
  readonly maxBegun: number;
  /** Turns that wait; beyond it new ones are refused. */
  readonly maxQueued: number;
  /** Bytes of the conversations of turns begun, beyond which none begins beside them (EN10). */
  readonly maxConversationBytes: number;
}

/** Default bounds. `maxBegun`: the sockets that the pool of a gateway has. */
export const DEFAULT_TURN_BOUNDS: TurnBounds = Object.freeze({
  maxRunning: 64,
  maxBegun: 1_024,
  maxQueued: 4_096,
  maxConversationBytes: 256 * 1024 * 1024,
});

/** The part of held bytes that peers together may have (docs/decisions/shares-per-class.md). */
export const PEER_BYTES = 0.25;
