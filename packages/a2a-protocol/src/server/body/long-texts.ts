/**
 * Long texts that wait for readers, which may have stalled. A task as of one event and as of the next differ in few parts,
 * and so do its protocol versions: a thousand readers of it must not hold a thousand copies. Invariants:
 * 1. A text is kept while one of its readers has not read it to its end, and what texts have in common is kept once.
 * 2. All of them hold `bytes` at most, beyond it by one text. Where that is too little, the readers that have taken
 *    nothing for longest are cut off, after `stalledMs` at the earliest; where all of them read, the next one is refused.
 */
import { OverloadedError } from "../../error/index.ts";
import { type Chunk, ChunkStore } from "./chunk-store.ts";

export interface LongTextBounds {
  /** Bytes kept for readers. */
  readonly bytes: number;
  /** Milliseconds without a read after which a reader may be cut off. */
  readonly stalledMs: number;
}

const BOUNDS: LongTextBounds = { bytes: 64 * 1024 * 1024, stalledMs: 10_000 };
/** Texts that are looked through for one that is asked for again. */
const REMEMBERED = 16;

/** What a text is of: equal keys (by identity, or the same string) and kinds are the same text. */
export interface TextKey {
  readonly of: object | string;
  readonly as: object;
}

interface KeptText {
  readonly key: TextKey | undefined;
  readonly chunks: readonly Chunk[];
  readonly length: number;
  readers: number;
}

/** A text as one reader takes it. */
export class HeldText {
  readonly #text: KeptText;
  readonly #texts: LongTexts;
  #chunk = 0;
  #taken = 0;
  #left: number;
  /** When its reader last took something, by the clock of the texts. */
  takenAt: number;
  /** Called where the text is taken away from a reader that has stalled. */
  onCut: (() => void) | undefined;

  /** Made by `LongTexts` alone. */
  constructor(text: KeptText, texts: LongTexts, now: number) {
    this.#text = text;
    this.#texts = texts;
    this.#left = text.length;
    this.takenAt = now;
  }

  /** Bytes that were not taken. */
  get length(): number {
    return this.#left;
  }

  /** The next bytes, `most` at most, shared with other readers. At the end the text is released. */
  take(most: number): Uint8Array {
    const chunk = this.#text.chunks[this.#chunk];
    if (chunk === undefined || this.#left === 0) return new Uint8Array(0);
    const end = Math.min(chunk.bytes.length, this.#taken + most);
    const bytes = chunk.bytes.subarray(this.#taken, end);
    this.#taken = end;
    this.#left -= bytes.length;
    if (end === chunk.bytes.length) {
      this.#chunk++;
      this.#taken = 0;
    }
    if (this.#left === 0) this.release();
    else this.#texts.touch(this);
    return bytes;
  }

  /** The reader needs no more of it. Idempotent. */
  release(): void {
    this.#left = 0;
    this.#texts.release(this, this.#text);
  }
}

/** The long texts of one agent. */
export class LongTexts {
  readonly #bounds: LongTextBounds;
  readonly #now: () => number;
  readonly #chunks = new ChunkStore();
  /** In the order of their last reads. */
  readonly #held = new Set<HeldText>();
  readonly #known: KeptText[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /** `now`: milliseconds by any clock. */
  constructor(bounds: Partial<LongTextBounds> = {}, now: () => number = () => performance.now()) {
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#now = now;
  }

  /** Bytes kept for readers. */
  get bytes(): number {
    return this.#chunks.bytes;
  }

  /** Runs one after the other what needs a long text whole: a hundred readers that come at once would need a hundred. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The text of this key, if a reader has not finished it: it need not be made again. */
  again(key: TextKey): HeldText | undefined {
    const known = this.#known.find((text) => text.key?.of === key.of && text.key.as === key.as);
    return known && this.#give(known);
  }

  /** Keeps a text for one reader. Throws `OverloadedError` 503 where there is no room. */
  hold(text: string, key?: TextKey): HeldText {
    this.#makeRoom();
    const chunks = this.#chunks.add(text);
    const length = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const kept = { key, chunks, length, readers: 0 };
    if (key !== undefined) this.#known.unshift(kept);
    if (this.#known.length > REMEMBERED) this.#known.pop();
    return this.#give(kept);
  }

  /** A reader has taken something. */
  touch(held: HeldText): void {
    held.takenAt = this.#now();
    this.#held.delete(held);
    this.#held.add(held);
  }

  /** A reader is done with a text. */
  release(held: HeldText, text: KeptText): void {
    if (!this.#held.delete(held) || --text.readers > 0) return;
    const at = this.#known.indexOf(text);
    if (at >= 0) this.#known.splice(at, 1);
    this.#chunks.drop(text.chunks);
  }

  #give(text: KeptText): HeldText {
    text.readers++;
    const held = new HeldText(text, this, this.#now());
    this.#held.add(held);
    return held;
  }

  #makeRoom(): void {
    const stalled = this.#now() - this.#bounds.stalledMs;
    for (const held of this.#held) {
      if (this.#chunks.bytes < this.#bounds.bytes) return;
      if (held.takenAt > stalled) break;
      held.release();
      held.onCut?.();
    }
    if (this.#chunks.bytes < this.#bounds.bytes) return;
    throw new OverloadedError(503, "Too much waits for readers that are slow", 10);
  }
}
