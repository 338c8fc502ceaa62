/**
 * Bytes in chunks that are stored once, however many texts have them. Chunk boundaries depend on the content, so that
 * equal parts of two texts are equal chunks at any offset.
 */
import { wholeEnd } from "./whole-end.ts";

/** Bytes of a chunk. Without a boundary in the content it is cut at the most. */
const LEAST = 4 * 1024;
const MOST = 32 * 1024;
/** The bits of the rolling hash that are zero at a cut: one offset in 8 KiB on average. */
const CUT_BITS = 0xfff8_0000;
/** Characters encoded at a time; each takes three bytes at most. */
const STEP = 16 * 1024;
/** Chunks found by one hash: texts made to have equal hashes are shared less, and cost no long search. */
const SAME_HASH = 4;

/** Bytes that texts have in common. Belongs to a `ChunkStore`. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly hash: number;
  /** How many times texts have it. */
  users: number;
}

/** Chunks by their content. */
export class ChunkStore {
  readonly #byHash = new Map<number, Chunk[]>();
  readonly #encoder = new TextEncoder();
  /** Random, so that no caller can write texts without boundaries. */
  readonly #gear = crypto.getRandomValues(new Uint32Array(256));
  readonly #scratch = new Uint8Array(MOST + 3 * STEP);
  #bytes = 0;

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The chunks of a text in UTF-8, in order. Each is used once more. */
  add(text: string): Chunk[] {
    const chunks: Chunk[] = [];
    const scratch = this.#scratch;
    for (let at = 0, filled = 0; at < text.length || filled > 0; ) {
      while (filled < MOST && at < text.length) {
        const end = wholeEnd(text, at + STEP);
        filled += this.#encoder.encodeInto(text.slice(at, end), scratch.subarray(filled)).written;
        at = end;
      }
      const { end, hash } = this.#cut(scratch, filled);
      chunks.push(this.#keep(scratch.subarray(0, end), hash));
      scratch.copyWithin(0, end, filled);
      filled -= end;
    }
    return chunks;
  }

  /** The chunks are used once less each. */
  drop(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      if (--chunk.users > 0) continue;
      this.#bytes -= chunk.bytes.length;
      const same = this.#byHash.get(chunk.hash) ?? [];
      const at = same.indexOf(chunk);
      if (at >= 0) same.splice(at, 1);
      if (same.length === 0) this.#byHash.delete(chunk.hash);
    }
  }

  /** Where the first chunk of these bytes ends, and its hash. */
  #cut(bytes: Uint8Array, filled: number): { readonly end: number; readonly hash: number } {
    const most = Math.min(filled, MOST);
    const gear = this.#gear;
    let hash = gear[0]!;
    let rolling = 0;
    let end = 0;
    while (end < most) {
      const byte = bytes[end++]!;
      hash = Math.imul(hash ^ byte, 0x0100_0193);
      rolling = (rolling << 1) + gear[byte]!;
      if (end >= LEAST && (rolling & CUT_BITS) === 0) break;
    }
    return { end, hash };
  }

  #keep(bytes: Uint8Array, hash: number): Chunk {
    const same = this.#byHash.get(hash);
    const known = same?.find((one) => isEqual(one.bytes, bytes));
    if (known !== undefined) {
      known.users++;
      return known;
    }
    const chunk: Chunk = { bytes: bytes.slice(), hash, users: 1 };
    this.#bytes += bytes.length;
    if (same === undefined) this.#byHash.set(hash, [chunk]);
    else if (same.length < SAME_HASH) same.push(chunk);
    return chunk;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
