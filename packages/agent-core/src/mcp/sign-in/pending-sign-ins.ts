import type { OAuthClientInformationMixed } from "@modelcontextprotocol/client";
import type { Clock } from "../../clock/index.ts";
import type { SignInPlace } from "./sign-in-place.ts";

/** A sign-in that was begun is over after that. */
const PENDING_MS = 10 * 60_000;
const MOST_PENDING = 16;

/** A sign-in that was begun. */
export interface PendingSignIn {
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly place: SignInPlace;
  readonly client: OAuthClientInformationMixed;
}

/** Those that were begun and not ended, by their `state`, each used once. */
export class PendingSignIns {
  readonly #clock: Pick<Clock, "now">;
  readonly #begun = new Map<string, PendingSignIn & { readonly at: number }>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  add(state: string, pending: PendingSignIn): void {
    this.#forgetOld();
    for (const old of [...this.#begun.keys()].slice(0, Math.max(0, this.#begun.size - MOST_PENDING + 1)))
      this.#begun.delete(old);
    this.#begun.set(state, { ...pending, at: this.#clock.now() });
  }

  take(state: string): PendingSignIn | undefined {
    this.#forgetOld();
    const pending = this.#begun.get(state);
    this.#begun.delete(state);
    return pending;
  }

  clear(): void {
    this.#begun.clear();
  }

  #forgetOld(): void {
    const before = this.#clock.now() - PENDING_MS;
    for (const [state, { at }] of this.#begun) if (at <= before) this.#begun.delete(state);
  }
}
