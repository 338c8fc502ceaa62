/**
 * The key under which the turn of an attempt is accepted here. Requests cannot have it, for their keys hold no control character:
 * another service may have its job of this name run here, at the same time.
 */
export function ownKeyOf(job: string, attempt: { readonly slot: number; readonly attempt: number }): string {
  return `own\u001f${keyOf(job, attempt)}`;
}

/** The idempotency key of an attempt that another service runs, and its message's id (G2). `slot` is epoch milliseconds. */
export function keyOf(job: string, { slot, attempt }: { readonly slot: number; readonly attempt: number }): string {
  return `schedule:${job}:${new Date(slot).toISOString()}:${attempt}`;
}
