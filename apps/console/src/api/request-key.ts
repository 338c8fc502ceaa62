/**
 * A key under which the service does a request once, however often it arrives (A15). Not `crypto.randomUUID`, which
 * browsers refuse on pages that came over plain HTTP from another machine.
 */
export function requestKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
