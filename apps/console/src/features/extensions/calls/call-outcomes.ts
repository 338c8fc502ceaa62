/** How a call ended, in words and a colour. */
export const OUTCOMES = Object.freeze({
  ok: ["Answered", "text-good"],
  error: ["Error", "text-bad"],
  denied: ["Not allowed", "text-bad"],
  unknown: ["Unknown: it may have happened", "text-bad"],
  canceled: ["Canceled", "text-ink-soft"],
  aborted: ["Canceled", "text-ink-soft"],
  open: ["Not ended", "text-accent"],
} as const);
