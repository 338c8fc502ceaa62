/** Texts as UTF-8, made once for all who send the same text at nearly the same time. */
export interface SharedBytes {
  bytes(text: string): Uint8Array;
}

/** Bytes remembered, beyond them by one text at most; readers of one task are at the same few frames. */
const REMEMBERED = 1024 * 1024;

/** Remembers the bytes of the texts seen last. */
export function createSharedBytes(): SharedBytes {
  const encoder = new TextEncoder();
  const made: { readonly text: string; readonly bytes: Uint8Array }[] = [];
  let held = 0;
  return {
    bytes(text) {
      const known = made.findLast((one) => one.text === text);
      if (known !== undefined) return known.bytes;
      const bytes = encoder.encode(text);
      made.push({ text, bytes });
      held += bytes.length;
      while (held > REMEMBERED && made.length > 1) held -= made.shift()?.bytes.length ?? 0;
      return bytes;
    },
  };
}
