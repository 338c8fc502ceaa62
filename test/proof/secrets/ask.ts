/** Asks something, and resolves with the body of what is answered. */
export type Ask = (
  asked: string,
  path: string,
  init?: { method?: string; headers?: Record<string, string>; body?: unknown },
) => Promise<string>;
