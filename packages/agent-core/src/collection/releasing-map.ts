/**
 * A map for values that come and go in numbers, such as running tasks.
 *
 * V8's own maps keep a rehashed table linked to its successor. Once one such dead table lies in the old generation it
 * keeps the next alive, and so on: with a few entries and constant coming and going every value ever held was promoted
 * and stayed until a full collection (measured: 10 kB per task, 40 MB between two of them). Here a table holds small
 * slots, and a removed slot is emptied at once, so dead tables keep nothing.
 */
export class ReleasingMap<Value> {
  readonly #slots = new Map<string, { value: Value | undefined }>();

  get size(): number {
    return this.#slots.size;
  }

  get(key: string): Value | undefined {
    return this.#slots.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#slots.has(key);
  }

  /** Sets a value; an entry that exists keeps its position in the order. */
  set(key: string, value: Value): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) this.#slots.set(key, { value });
    else slot.value = value;
  }

  /** Removes an entry; true if there was one. */
  delete(key: string): boolean {
    const slot = this.#slots.get(key);
    if (slot === undefined) return false;
    slot.value = undefined;
    return this.#slots.delete(key);
  }

  /** Values in order of insertion; entries may be removed meanwhile. */
  *values(): Generator<Value> {
    for (const { value } of this.#slots.values()) if (value !== undefined) yield value;
  }
}
