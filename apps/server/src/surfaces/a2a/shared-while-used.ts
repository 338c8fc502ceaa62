/** Keys remembered, whether or not their values are still in use. */
const REMEMBERED = 16;

/** Objects that are made once for all who use them at the same time, and that nobody keeps when they are done. */
export class SharedWhileUsed<Value extends object> {
  readonly #made = new Map<string, WeakRef<Value>>();

  /** The value of this key if anybody still uses it, else made now. */
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
