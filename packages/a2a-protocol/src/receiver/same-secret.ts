/** Compares what a caller shows with what is expected, in constant time over digests of both (S1). */
export type SameSecret = (shown: string | null) => Promise<boolean>;

/** A comparison with `expected`, whose digest is made once. */
export function sameSecret(expected: string): SameSecret {
  const own = digest(expected);
  return async (shown) => {
    const [a, b] = await Promise.all([own, digest(shown ?? "")]);
    let difference = shown === null ? 1 : 0;
    for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
    return difference === 0;
  };
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
