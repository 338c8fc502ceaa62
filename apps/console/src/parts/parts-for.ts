/** A part of a screen, at an address of its own. */
export interface Part {
  /** From the console's root: `/work/board`. */
  readonly path: string;
  readonly label: string;
  /** The feature of the runtime status without which the part does not exist. */
  readonly feature: string;
  /** It is offered only while its feature is switched on; its address works at any time. */
  readonly whenEnabled?: boolean;
}

/** The parts to offer: those whose features the service has, or has switched on. */
export function partsFor(
  parts: readonly Part[],
  features: { readonly [name: string]: { readonly available: boolean; readonly enabled: boolean } } | undefined,
): readonly Part[] {
  return parts.filter(({ feature, whenEnabled = false }) => {
    const { available = false, enabled = false } = features?.[feature] ?? {};
    return available && (enabled || !whenEnabled);
  });
}
