import type { OutgoingFile } from "../live/outgoing-message.ts";

/** Maximum bytes of all files of a message. */
export const MAX_BYTES = 6_000_000;
/** Maximum number of files of a message. */
export const MAX_FILES = 10;

/** Reads files into those of a message. Throws an Error that names the file that exceeds a limit or that no model can be given. */
export async function readFiles(
  files: readonly File[],
  before: readonly OutgoingFile[],
): Promise<readonly OutgoingFile[]> {
  if (before.length + files.length > MAX_FILES) throw new Error(`At most ${MAX_FILES} files go with a message.`);
  let bytes = before.reduce((all, { raw }) => all + raw.length * 0.75, 0);
  const read: OutgoingFile[] = [];
  for (const file of files) {
    bytes += file.size;
    if (bytes > MAX_BYTES) throw new Error(`"${file.name}" is too large: a message carries at most 6 MB of files.`);
    const content = new Uint8Array(await file.arrayBuffer());
    const mediaType = mediaTypeOf(file, content);
    read.push({ name: file.name === "" ? "pasted" : file.name, mediaType, raw: base64Of(content) });
  }
  return read;
}

const PICTURE = /^image\/(png|jpe?g|gif|webp)$/i;
/** The most bytes of a text that a message carries. */
const MAX_TEXT_BYTES = 262_144;

/**
 * The type under which a file goes with a message: a picture keeps its own, anything that is text is plain text, whatever
 * the browser calls it (a `.ts` file is a video to it). Throws an Error that says what can be attached instead.
 */
function mediaTypeOf({ type, name }: File, bytes: Uint8Array): string {
  if (PICTURE.test(type)) return type;
  if (!isText(bytes)) throw new Error(`"${name}" cannot be read here. Attach pictures (PNG, JPEG, GIF, WebP) or text.`);
  if (bytes.length > MAX_TEXT_BYTES) throw new Error(`"${name}" is too long: a text of a message has at most 256 kB.`);
  return /^text\/[\w.+-]+$/.test(type) ? type : "text/plain";
}

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/** Encodes bytes as base64, in chunks: all bytes at once are too many arguments for `fromCharCode`. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 32_768) {
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  }
  return btoa(text);
}
