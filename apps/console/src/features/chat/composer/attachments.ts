import type { OutgoingFile } from "../live/outgoing-message.ts";

/** Maximum bytes of all files of a message. */
export const MAX_BYTES = 6_000_000;
/** Maximum number of files of a message. */
export const MAX_FILES = 10;

/** The text of a PDF, whose content is given in base64. Rejects with a reason for people. */
export type ReadPdf = (file: OutgoingFile) => Promise<{
  readonly text: string;
  readonly pages: number;
  readonly pages_read: number;
  readonly truncated: boolean;
}>;

/**
 * Reads files into those of a message; a PDF becomes its text. Throws an Error that names the file that exceeds a limit or
 * that no model can be given.
 */
export async function readFiles(
  files: readonly File[],
  before: readonly OutgoingFile[],
  readPdf: ReadPdf,
): Promise<readonly OutgoingFile[]> {
  if (before.length + files.length > MAX_FILES) throw new Error(`At most ${MAX_FILES} files go with a message.`);
  let bytes = before.reduce((all, { raw }) => all + raw.length * 0.75, 0);
  const read: OutgoingFile[] = [];
  for (const file of files) {
    if (file.size > MAX_BYTES) throw tooLarge(file);
    const content = new Uint8Array(await file.arrayBuffer());
    const made = isPdf(file, content) ? await textOfPdf(file, content, readPdf) : fileOf(file, content);
    bytes += made.raw.length * 0.75;
    if (bytes > MAX_BYTES) throw tooLarge(file);
    read.push(made);
  }
  return read;
}

function tooLarge({ name }: File): Error {
  return new Error(`"${name}" is too large: a message carries at most 6 MB of files.`);
}

function fileOf(file: File, content: Uint8Array): OutgoingFile {
  const mediaType = mediaTypeOf(file, content);
  return { name: file.name === "" ? "pasted" : file.name, mediaType, raw: base64Of(content) };
}

const PICTURE = /^image\/(png|jpe?g|gif|webp)$/i;
const OFFICE_NAME = /\.(docx?|docm|xlsx?|xlsm|pptx?|pptm|odt|ods|odp|pages|numbers|key)$/i;
const OFFICE_TYPE =
  /officedocument|opendocument|msword|ms-(word|excel|powerpoint)|vnd\.apple\.(pages|numbers|keynote)/i;
/** The most bytes of a text that a message carries. */
const MAX_TEXT_BYTES = 262_144;

/**
 * The type under which a file goes with a message: a picture keeps its own, anything that is text is plain text, whatever
 * the browser calls it (a `.ts` file is a video to it). Throws an Error that says what can be attached instead.
 */
function mediaTypeOf({ type, name }: File, bytes: Uint8Array): string {
  if (PICTURE.test(type)) return type;
  if (!isText(bytes)) {
    if (OFFICE_TYPE.test(type) || OFFICE_NAME.test(name)) {
      throw new Error(`"${name}" is an office file, which cannot be read yet. Save it as PDF and attach that.`);
    }
    throw new Error(`"${name}" cannot be read here. Attach pictures (PNG, JPEG, GIF, WebP), PDF or text.`);
  }
  if (bytes.length > MAX_TEXT_BYTES) throw new Error(`"${name}" is too long: a text of a message has at most 256 kB.`);
  return /^text\/[\w.+-]+$/.test(type) ? type : "text/plain";
}

function isPdf({ type }: File, bytes: Uint8Array): boolean {
  return type === "application/pdf" || new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";
}

/** The text of a PDF as a file of the message: what the model reads, and what is kept. */
async function textOfPdf({ name }: File, content: Uint8Array, readPdf: ReadPdf): Promise<OutgoingFile> {
  const read = await readPdf({ name, mediaType: "application/pdf", raw: base64Of(content) });
  const cut = `[Only the beginning: the text of ${read.pages_read} of ${read.pages} pages, at most 256 kB of it.]`;
  const text = read.truncated ? cutToBytes(`${cut}\n\n${read.text}`) : new TextEncoder().encode(read.text);
  return { name, mediaType: "text/plain", raw: base64Of(text) };
}

/** The beginning of a text as the bytes that a message carries of it at most. */
function cutToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(MAX_TEXT_BYTES);
  return bytes.subarray(0, new TextEncoder().encodeInto(text, bytes).written);
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
