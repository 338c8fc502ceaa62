import type { BigIntStats } from "node:fs";

/** Which file or folder of the machine it is, whatever it is called: device and number. */
export type Identity = `${bigint}:${bigint}`;

export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): Identity {
  return `${dev}:${ino}`;
}
