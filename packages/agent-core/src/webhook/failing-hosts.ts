/** More hosts than these are not read in a warning. */
const MAX_HOSTS = 20;

/** Hosts whose last webhook was given up: until one arrives there, or the next start. */
export class FailingHosts {
  readonly #hosts = new Set<string>();

  /** The newest last. */
  list(): readonly string[] {
    return [...this.#hosts];
  }

  /** A webhook to this host was given up. */
  failed(host: string): void {
    this.#hosts.delete(host);
    this.#hosts.add(host);
    const [oldest] = this.#hosts;
    if (this.#hosts.size > MAX_HOSTS && oldest !== undefined) this.#hosts.delete(oldest);
  }

  /** One was delivered there. True: the one before was given up. */
  delivered(host: string): boolean {
    return this.#hosts.delete(host);
  }
}
