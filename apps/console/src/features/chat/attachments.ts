import type { OutgoingFile } from "./live-turns.ts";

/** Bytes of all files of a message. */
export const MOST_BYTES = 6_000_000;
/** Files of a message. */
export const MOST_FILES = 10;

/** Reads files into what a message carries. Throws an Error that says which file is too much. */
export async function readFiles(
  files: readonly File[],
  before: readonly OutgoingFile[],
): Promise<readonly OutgoingFile[]> {
  if (before.length + files.length > MOST_FILES) throw new Error(`At most ${MOST_FILES} files go with a message.`);
  let bytes = before.reduce((all, { raw }) => all + raw.length * 0.75, 0);
  const read: OutgoingFile[] = [];
  for (const file of files) {
    bytes += file.size;
    if (bytes > MOST_BYTES) throw new Error(`"${file.name}" is too large: a message carries at most 6 MB of files.`);
    const raw = base64Of(new Uint8Array(await file.arrayBuffer()));
    read.push({ name: file.name === "" ? "pasted" : file.name, mediaType: mediaTypeOf(file), raw });
  }
  return read;
}

/** Browsers know few types of text; what ends like source is plain text to a model. */
function mediaTypeOf({ type, name }: File): string {
  if (type !== "") return type;
  return /\.(md|txt|log|csv|json|ya?ml|toml|[cm]?[jt]sx?|py|rb|rs|go|java|sh|sql|css|html?|xml|ini|conf|env|diff|patch)$/i.test(
    name,
  )
    ? "text/plain"
    : "application/octet-stream";
}

/** Bytes as base64, a stretch at a time: all at once are too many arguments. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 32_768) {
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  }
  return btoa(text);
}
