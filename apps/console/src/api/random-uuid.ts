/**
 * Gives a browser `crypto.randomUUID` where it has none: over plain HTTP from another machine, which is how a console on
 * a home network is opened. The same 122 random bits (RFC 9562, version 4).
 */
export function provideRandomUuid(crypto: Pick<Crypto, "getRandomValues">): void {
  if ("randomUUID" in crypto) return;
  Object.defineProperty(crypto, "randomUUID", { value: () => uuidOf(crypto.getRandomValues(new Uint8Array(16))) });
}

export function uuidOf(bytes: Uint8Array): string {
  const marked = bytes.with(6, ((bytes[6] ?? 0) & 0x0f) | 0x40).with(8, ((bytes[8] ?? 0) & 0x3f) | 0x80);
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
