/** Items of the inbox (B39). */

/** How urgent an item is, the most urgent first. A floor lets through itself and what is more urgent. */
export const INBOX_PRIORITIES = ["now", "next", "later"] as const;
export type InboxPriority = (typeof INBOX_PRIORITIES)[number];

/** Bounds (EN10): of an item in characters, of the inbox in items that wait. */
export const INBOX_LIMITS = Object.freeze({ text: 16_000, source: 200, dedupKey: 200, waiting: 10_000 });

/** An item. Times are epoch milliseconds. */
export interface InboxItem {
  readonly id: number;
  readonly createdAt: number;
  readonly priority: InboxPriority;
  /** The sender as it names itself; blank where it does not. */
  readonly source: string;
  readonly text: string;
  readonly dedupKey: string | undefined;
  /** When a turn or a call took it; undefined while it waits. */
  readonly deliveredAt: number | undefined;
}

export interface NewInboxItem {
  /** Not blank. */
  readonly text: string;
  readonly priority: InboxPriority;
  readonly source: string;
  readonly dedupKey: string | undefined;
}

/** The outcome of sending an item. */
export interface InboxAddition {
  /** `queued`: it waits. `fired`: it started a turn. `duplicate`: one of the same key is there, and is returned instead. */
  readonly outcome: "queued" | "fired" | "duplicate";
  readonly item: InboxItem;
  /** The turn it started. */
  readonly task: string | undefined;
}

/** Which items, newest first. */
export interface InboxFilter {
  readonly floor: InboxPriority;
  readonly includeDelivered: boolean;
  readonly limit: number;
  /** Only those with a smaller id. */
  readonly before?: number | undefined;
}

/** The text of an item for the turn or the call that takes it. */
export function textOfItem({ id, priority, source, text }: InboxItem): string {
  const from = source === "" ? "" : `, from ${source}`;
  return `[Inbox item ${id}, priority ${priority}${from}]\n${text}`;
}
