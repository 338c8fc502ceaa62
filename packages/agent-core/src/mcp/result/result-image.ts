/** Types of images that models and browsers show, and the bytes that they begin with. */
const KINDS: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  "image/png": (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  "image/jpeg": (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  "image/gif": (bytes) => /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6)),
  "image/webp": (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString("latin1", 0, 12)),
};

/** Bytes of an image. */
const MAX_BYTES = 4 * 1024 * 1024;

/** An image of a result. */
export interface ResultImage {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`; its bytes begin as those of that type do. */
  readonly mimeType: string;
  /** Base64 with padding and without line breaks. */
  readonly data: string;
}

/** An image of a type and base64, why it is not shown, or undefined: its type is none of an image that is. */
export function imageOf(mimeType: string, data: string): ResultImage | string | undefined {
  const type = mimeType === "image/jpg" ? "image/jpeg" : mimeType;
  const isKind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (isKind === undefined) return undefined;
  if ((data.length * 3) / 4 > MAX_BYTES + 3) return `an image has at most ${MAX_BYTES / 1024 / 1024} MiB`;
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > MAX_BYTES) return `an image has at most ${MAX_BYTES / 1024 / 1024} MiB`;
  return isKind(bytes) ? { mimeType: type, data: bytes.toString("base64") } : "it is no image of this type";
}
