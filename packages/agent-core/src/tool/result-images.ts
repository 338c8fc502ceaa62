/** The images of a tool's result: those that a provider takes, since one that it refuses would end every later call too. */
import type { ModelContent } from "../model/index.ts";

/** Bytes of one image. */
export const IMAGE_BYTES = 4 * 1024 * 1024;
/** Images of one result. */
export const MOST_IMAGES = 4;

/** An image as a model is shown it. */
export type ResultImage = Extract<ModelContent, { readonly kind: "image" }>;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The format that bytes begin as, whatever they are called. */
function formatOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString("latin1");
  if (head.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

/** An image, or why it is none. */
function readImage(image: unknown): ResultImage | string {
  if (typeof image !== "object" || image === null || !("data" in image)) return "it is no image";
  const { data } = image;
  const isBytes = data instanceof Uint8Array;
  if (!isBytes && typeof data !== "string") return "it has no data";
  const size = isBytes ? data.byteLength : Math.floor((data.length * 3) / 4);
  // Base64 ends in two characters at most that stand for no bytes.
  if (size > IMAGE_BYTES + (isBytes ? 0 : 2)) return `it has about ${size} bytes; at most ${IMAGE_BYTES} are shown`;
  if (!isBytes && (data.length % 4 !== 0 || !BASE64.test(data))) return "its data is no base64";
  const bytes = isBytes ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data, "base64");
  if (bytes.byteLength > IMAGE_BYTES) return `it has ${bytes.byteLength} bytes; at most ${IMAGE_BYTES} are shown`;
  const mediaType = formatOf(bytes);
  if (mediaType === undefined) return "it is no png, jpeg, gif or webp";
  return { kind: "image", mediaType, data: bytes.toString("base64") };
}

/** The images that can be shown, and a sentence for each that cannot. */
export function readImages(given: unknown): { readonly images: ResultImage[]; readonly problems: string[] } {
  const images: ResultImage[] = [];
  const problems: string[] = [];
  if (given === undefined) return { images, problems };
  if (!Array.isArray(given)) return { images, problems: ["The images were not shown: they are no list."] };
  for (const [index, image] of given.slice(0, MOST_IMAGES).entries()) {
    const read = readImage(image);
    if (typeof read === "string") problems.push(`Image ${index + 1} was not shown: ${read}.`);
    else images.push(read);
  }
  if (given.length > MOST_IMAGES) {
    problems.push(
      `${given.length - MOST_IMAGES} more of the images were not shown: a result has ${MOST_IMAGES} at most.`,
    );
  }
  return { images, problems };
}
