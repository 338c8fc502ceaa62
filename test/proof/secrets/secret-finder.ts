/** Looks for many secrets, in every spelling that could give one away, in one pass over the bytes. */

/** Finds which needles stand in a haystack. */
export interface SecretFinder {
  /** The indices of the secrets that stand in it, each once. */
  find(haystack: Buffer): number[];
}

const KEY_BYTES = 4;
const BITS = 22;

/** The spellings of a secret: as it is, as JSON, in a query, in base64 wherever it begins, in hex. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  // Within a longer text base64 depends on what stands before; these characters depend on the secret alone.
  const inside = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(Math.ceil((shift * 8) / 6), text.length - 1);
  });
  const forms = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    ...inside,
    ...inside.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    bytes.toString("hex"),
  ];
  return [...new Set(forms)];
}

function hash(bytes: Buffer, at: number): number {
  return Math.imul(bytes.readUInt32LE(at), 0x9e3779b1) >>> (32 - BITS);
}

/** Makes a finder. Secrets have at least 10 characters, so that nothing is found by chance. */
export function secretFinder(secrets: readonly string[]): SecretFinder {
  const seen = new Uint8Array(2 ** BITS);
  const byHash = new Map<number, { readonly index: number; readonly bytes: Buffer }[]>();
  for (const [index, secret] of secrets.entries()) {
    if (secret.length < 10) throw new Error(`too short to be looked for: ${secret.length} characters`);
    for (const form of spellings(secret)) {
      const bytes = Buffer.from(form);
      const key = hash(bytes, 0);
      seen[key] = 1;
      byHash.set(key, [...(byHash.get(key) ?? []), { index, bytes }]);
    }
  }
  return {
    find(haystack) {
      const found = new Set<number>();
      for (let at = 0; at + KEY_BYTES <= haystack.length; at++) {
        const key = hash(haystack, at);
        if (seen[key] === 0) continue;
        for (const { index, bytes } of byHash.get(key) ?? [])
          if (haystack.subarray(at, at + bytes.length).equals(bytes)) found.add(index);
      }
      return [...found];
    },
  };
}
