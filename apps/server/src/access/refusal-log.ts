import type { FormatRefusal } from "./mount-routes.ts";

/** The logger, in pino's shape. */
export interface WarningLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Minimum milliseconds between two lines about the same status. */
const PAUSE_MS = 60_000;

const meanings: ReadonlyMap<number, string> = new Map([
  [401, "requests without a valid credential were refused"],
  [403, "requests were refused for their Host, their Origin or a permission they lack"],
]);

/**
 * Wraps `format` and logs refusals for a missing credential or permission: the first at once, then one
 * line a minute with how many there were (A2A 1.0.1, 13.4: security events are logged). It logs neither caller nor
 * path: a path may hold an id, and a sent credential may be a person's (S5).
 */
export function loggingRefusals(log: WarningLog, format: FormatRefusal, now: () => number = Date.now): FormatRefusal {
  const noted = new Map<number, { at: number; refused: number }>();
  function note(status: number, meaning: string): void {
    const last = noted.get(status) ?? { at: Number.NEGATIVE_INFINITY, refused: 0 };
    noted.set(status, last);
    last.refused += 1;
    const time = now();
    if (time - last.at < PAUSE_MS) return;
    log.warn({ status, refused: last.refused }, meaning);
    last.at = time;
    last.refused = 0;
  }
  return (path, refusal, a2a) => {
    const meaning = meanings.get(refusal.status);
    if (meaning !== undefined) note(refusal.status, meaning);
    return format(path, refusal, a2a);
  };
}
