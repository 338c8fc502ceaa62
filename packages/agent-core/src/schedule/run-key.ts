/** The idempotency key of an attempt (G2). `slot` is epoch milliseconds. */
export function keyOf(job: string, { slot, attempt }: { readonly slot: number; readonly attempt: number }): string {
  return `schedule:${job}:${new Date(slot).toISOString()}:${attempt}`;
}
