/** What a hostile server does wrong. */
export const VICES = [
  "garbage",
  "wrong-ids",
  "doubled-ids",
  "long-line",
  "endless-cursors",
  "many-changes",
  "exit",
  "silence",
  "grandchildren",
  "bad-schemas",
  "many-values",
  "error-flood",
  "closed-output",
] as const;

export type Vice = (typeof VICES)[number];

/** When it does it: at its start, or at a request. */
export const PHASES = ["start", "server/discover", "initialize", "tools/list", "tools/call"] as const;

export type Phase = (typeof PHASES)[number];
