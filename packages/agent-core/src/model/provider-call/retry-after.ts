/**
 * Milliseconds a `Retry-After` header asks to wait: seconds, or an HTTP date seen from `now` (epoch milliseconds).
 * `retry-after-ms` is a vendor's finer form and goes first. Undefined when neither can be read; never negative.
 */
export function readRetryAfter(
  headers: { readonly retryAfter?: string; readonly retryAfterMs?: string },
  now: number,
): number | undefined {
  const fine = number(headers.retryAfterMs);
  if (fine !== undefined) return fine;
  const seconds = number(headers.retryAfter);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(headers.retryAfter ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}
