import type { CommittedEvent } from "../event/index.ts";
import type { PageBounds } from "./read-events.ts";

/** Reads events above `after` from the store. */
export type ReadEvents = (task: string, after: number, bounds: PageBounds) => Promise<readonly CommittedEvent[]>;

/** Events of a page; pages end at multiples of it, so that readers of a task ask for the same ones. */
const PAGE = 32;
/** Bytes of a page, beyond it by one event at most: each reader that has stopped holds one. */
const PAGE_BYTES = 64 * 1024;
const REMEMBERED = 8;

interface Page {
  readonly task: string;
  readonly after: number;
  readonly events: Promise<readonly CommittedEvent[]>;
}

/**
 * Pages of events for followers who lag behind what memory holds. The last few are cached, also while they are being
 * read: many readers of one task are usually at the same event.
 */
export class EventPages {
  readonly #read: ReadEvents;
  readonly #pages: Page[] = [];

  constructor(read: ReadEvents) {
    this.#read = read;
  }

  /** The next events above `after`, numbered `upTo` at most; none where there are none. */
  async above(task: string, after: number, upTo: number): Promise<readonly CommittedEvent[]> {
    const known = this.#pages.find((page) => page.task === task && page.after === after);
    const events = await (known ?? this.#load(task, after)).events;
    const last = events.at(-1);
    // What was read is committed, but may not have been published yet (EN1).
    return last === undefined || last.seq <= upTo ? events : events.filter(({ seq }) => seq <= upTo);
  }

  #load(task: string, after: number): Page {
    const bounds = { limit: PAGE - (after % PAGE), bytes: PAGE_BYTES };
    const page: Page = { task, after, events: this.#read(task, after, bounds) };
    this.#pages.push(page);
    if (this.#pages.length > REMEMBERED) this.#pages.shift();
    const forget = (): void => {
      const at = this.#pages.indexOf(page);
      if (at >= 0) this.#pages.splice(at, 1);
    };
    // A failure is the asker's; an empty page may be full a moment later.
    page.events.then((events) => {
      if (events.length === 0) forget();
    }, forget);
    return page;
  }
}
