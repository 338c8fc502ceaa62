/** Maximum number of keys, whether or not their values are in use. */
const REMEMBERED = 16;

/** Objects created once for all concurrent users, and garbage-collected after the last one. */
export class SharedWhileUsed<Value extends object> {
  readonly #made = new Map<string, WeakRef<Value>>();

  /** The value of this key if it is still in use, else a new one. */
  get(key: string, make: () => Value | undefined): Value | undefined {
    const known = this.#made.get(key)?.deref();
    if (known !== undefined) return known;
    const value = make();
    if (value === undefined) return undefined;
    this.#made.delete(key);
    this.#made.set(key, new WeakRef(value));
    const [oldest] = this.#made.keys();
    if (this.#made.size > REMEMBERED && oldest !== undefined) this.#made.delete(oldest);
    return value;
  }
}
