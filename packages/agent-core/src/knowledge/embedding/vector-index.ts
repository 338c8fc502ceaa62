const WORD_BYTES = 4;
const FIRST_CAPACITY = 1_024;

/** The signs of all vectors of one model, in memory: found by how many of them differ. */
export class VectorIndex {
  readonly #words: number;
  #ids = new Uint32Array(FIRST_CAPACITY);
  #signs: Uint32Array;
  #size = 0;

  /** `dims`: numbers of a vector. */
  constructor(dims: number) {
    this.#words = Math.ceil(dims / 32);
    this.#signs = new Uint32Array(FIRST_CAPACITY * this.#words);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a vector, or replaces that of the same chunk. One of another size is left out. */
  set(id: number, signs: Uint8Array): void {
    if (signs.byteLength !== this.#words * WORD_BYTES) return;
    const known = this.#ids.subarray(0, this.#size).indexOf(id);
    this.#put(known >= 0 ? known : this.#grow(), id, signs);
  }

  /** Adds vectors of chunks that it does not have. */
  append(rows: readonly (readonly [id: number, signs: Uint8Array])[]): void {
    for (const [id, signs] of rows)
      if (signs.byteLength === this.#words * WORD_BYTES) this.#put(this.#grow(), id, signs);
  }

  delete(id: number): void {
    const at = this.#ids.subarray(0, this.#size).indexOf(id);
    if (at < 0) return;
    const last = --this.#size;
    this.#ids[at] = this.#ids[last] ?? 0;
    this.#signs.copyWithin(at * this.#words, last * this.#words, (last + 1) * this.#words);
  }

  /** The chunks with the fewest differences, at most `limit` of them, in no order. */
  nearest(signs: Uint8Array, limit: number): number[] {
    const asked = new Uint32Array(this.#words);
    new Uint8Array(asked.buffer).set(signs.subarray(0, asked.byteLength));
    const distances = new Uint16Array(this.#size);
    const counts = new Uint32Array(this.#words * 32 + 1);
    for (let row = 0, at = 0; row < this.#size; row++) {
      let distance = 0;
      for (let word = 0; word < this.#words; word++, at++) {
        let bits = (this.#signs[at] ?? 0) ^ (asked[word] ?? 0);
        bits -= (bits >>> 1) & 0x55_55_55_55;
        bits = (bits & 0x33_33_33_33) + ((bits >>> 2) & 0x33_33_33_33);
        distance += Math.imul((bits + (bits >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
      }
      distances[row] = distance;
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
    // The largest distance of which all still fit.
    let most = 0;
    for (let room = limit; most < counts.length && (counts[most] ?? 0) <= room; most++) room -= counts[most] ?? 0;
    const found: number[] = [];
    const atMost: number[] = [];
    for (let row = 0; row < this.#size; row++) {
      const distance = distances[row] ?? 0;
      if (distance < most) found.push(this.#ids[row] ?? 0);
      else if (distance === most && atMost.length < limit) atMost.push(this.#ids[row] ?? 0);
    }
    return [...found, ...atMost.slice(0, limit - found.length)];
  }

  #grow(): number {
    if (this.#size === this.#ids.length) {
      const ids = new Uint32Array(this.#size * 2);
      ids.set(this.#ids);
      const signs = new Uint32Array(this.#size * 2 * this.#words);
      signs.set(this.#signs);
      [this.#ids, this.#signs] = [ids, signs];
    }
    return this.#size++;
  }

  #put(at: number, id: number, signs: Uint8Array): void {
    this.#ids[at] = id;
    new Uint8Array(this.#signs.buffer, at * this.#words * WORD_BYTES, signs.byteLength).set(signs);
  }
}
