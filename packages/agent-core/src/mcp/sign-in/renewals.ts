import type { Grant } from "./grant.ts";

/**
 * Renewals of one server's tokens, over all of its connections: after a restart of a connection calls still end on the old
 * one, and a server that rotates refresh tokens ends the sign-in of whoever uses one twice.
 */
export class Renewals {
  /** Was renewed and could not be saved: its refresh token is the only one that still counts. */
  unsaved: { readonly fresh: Grant; readonly of: string | undefined } | undefined;
  readonly #running = new Map<unknown, Promise<Grant | undefined>>();

  /** What was renewed with a refresh token and could not be saved. */
  unsavedOf(refreshToken: string): Grant | undefined {
    return this.unsaved?.of === refreshToken ? this.unsaved.fresh : undefined;
  }

  /** One renewal of a key at a time: whoever comes while it runs gets its outcome. */
  once(key: unknown, renew: () => Promise<Grant | undefined>): Promise<Grant | undefined> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = renew().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
