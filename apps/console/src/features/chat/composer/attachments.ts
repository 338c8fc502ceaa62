import type { OutgoingFile } from "../live/outgoing-message.ts";

/** Maximum bytes of all files of a message. */
export const MAX_BYTES = 6_000_000;
/** Maximum number of files of a message. */
export const MAX_FILES = 10;

/** Reads files into those of a message. Throws an Error that names the file that exceeds a limit. */
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
    const raw = base64Of(new Uint8Array(await file.arrayBuffer()));
    read.push({ name: file.name === "" ? "pasted" : file.name, mediaType: mediaTypeOf(file), raw });
  }
  return read;
}

/** Browsers know few text types; a file with a known source extension is plain text to a model. */
function mediaTypeOf({ type, name }: File): string {
  if (type !== "") return type;
  return /\.(md|txt|log|csv|json|ya?ml|toml|[cm]?[jt]sx?|py|rb|rs|go|java|sh|sql|css|html?|xml|ini|conf|env|diff|patch)$/i.test(
    name,
  )
    ? "text/plain"
    : "application/octet-stream";
}

/** Encodes bytes as base64, in chunks: all bytes at once are too many arguments for `fromCharCode`. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 32_768) {
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  }
  return btoa(text);
}
