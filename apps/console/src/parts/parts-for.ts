/** A part of a screen, at an address of its own. */
export interface Part {
  /** From the console's root: `/work/board`. */
  readonly path: string;
  readonly label: string;
  /** The feature of the runtime status without which the part does not exist. */
  readonly feature: string;
}

/** The parts whose features the service has. */
export function partsFor(
  parts: readonly Part[],
  features: { readonly [name: string]: { readonly available: boolean } } | undefined,
): readonly Part[] {
  return parts.filter(({ feature }) => features?.[feature]?.available === true);
}
