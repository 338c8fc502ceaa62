import type { KillMoment } from "./kill-moment.ts";
import type { Random } from "./random.ts";

/** The commits that the trials of one kind of thing are killed at, and how often something else ends a life. */
export interface LabelledMoments {
  /** Shares of lives that end during a start, at any time, and at a side effect. */
  readonly shares: { readonly booting: number; readonly serving: number; readonly tool: number };
  /** Milliseconds after which a life may end that ends at any time. */
  readonly serving: readonly [least: number, most: number];
  /** Side effects of a life at most. */
  readonly tools: number;
  /** The commits, by their labels. */
  readonly labels: readonly string[];
  /** Those that a life makes often, and how often at least. */
  readonly frequent: { readonly labels: ReadonlySet<string>; readonly most: number };
  /** Those that a life makes only where there was one before it. */
  readonly later?: ReadonlySet<string>;
}

/** Draws how a life ends. `isFirst`: there was none before it. */
export function drawLabelledMoment(
  random: Random,
  { shares, serving, tools, labels, frequent, later }: LabelledMoments,
  isFirst: boolean,
): KillMoment {
  const kind = random.next();
  if (kind < shares.booting) return { kind: "booting", share: 0.3 + 0.7 * random.next() };
  if (kind < shares.booting + shares.serving) return { kind: "serving", ms: random.int(...serving) };
  const side = random.pick(["before", "after"] as const);
  if (kind < shares.booting + shares.serving + shares.tool)
    return { kind: "self", self: { kind: "tool", side, nth: random.int(1, tools) } };
  const label = random.pick(labels.filter((one) => !isFirst || later?.has(one) !== true));
  const nth = random.int(1, frequent.labels.has(label) ? frequent.most : 2);
  return { kind: "self", self: { kind: "label", label, side, nth } };
}
