/** Something worth a line at the edge of the page. */
export interface Notice {
  readonly text: string;
  readonly tone: "plain" | "good" | "bad" | "waiting";
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** A notice that is shown. */
export interface ShownNotice extends Notice {
  readonly key: number;
}

/** More than these are not read anyway. */
const MOST = 4;

/** The notices with one more. What waits for a person is told once, and goes last when there are too many. */
export function withNotice(shown: readonly ShownNotice[], next: ShownNotice): readonly ShownNotice[] {
  const others = shown.filter(({ text, tone }) => text !== next.text || tone !== next.tone);
  const all = [...others, next];
  if (all.length <= MOST) return all;
  const goes = all.find(({ tone }) => tone !== "waiting") ?? all[0];
  return all.filter((one) => one !== goes);
}
