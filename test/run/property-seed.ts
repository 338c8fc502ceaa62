import fc from "fast-check";

/**
 * Property tests draw the same values in every run, so a failure is a change's doing and can be seen again. A nightly
 * run, or anyone in doubt, looks further with another seed: `PROPERTY_SEED=random pnpm test`, or a number.
 */
export const defaultSeed = 20_261_121;

/** Reads the seed out of an environment; undefined: a new one in every run. */
export function propertySeed(env: Readonly<Record<string, string | undefined>>): number | undefined {
  if (env.PROPERTY_SEED === "random") return undefined;
  const seed = Number(env.PROPERTY_SEED ?? defaultSeed);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${env.PROPERTY_SEED}": a whole number, or "random"`);
  return seed;
}

const seed = propertySeed(process.env);
fc.configureGlobal(seed === undefined ? {} : { seed });
