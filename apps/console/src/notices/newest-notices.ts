/** A short message at the edge of the page. */
export interface Notice {
  readonly text: string;
  readonly tone: "plain" | "good" | "bad" | "waiting";
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface ShownNotice extends Notice {
  readonly key: number;
}

/** Maximum number of notices shown at once. */
const MAX_SHOWN = 4;

/** Adds a notice. An equal one is replaced; beyond the maximum the oldest is dropped, prompts that wait for a person last. */
export function withNotice(shown: readonly ShownNotice[], next: ShownNotice): readonly ShownNotice[] {
  const others = shown.filter(({ text, tone }) => text !== next.text || tone !== next.tone);
  const all = [...others, next];
  if (all.length <= MAX_SHOWN) return all;
  const dropped = all.find(({ tone }) => tone !== "waiting") ?? all[0];
  return all.filter((one) => one !== dropped);
}
