import { failureOf } from "../../../ui/index.ts";
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

/** What a document gives a message that the service reads for one conversation: all of it, or its beginning. */
export interface ReadDocument {
  /** `indexed`: the rest is found by its words in this conversation. */
  readonly mode: "inline" | "indexed";
  readonly context: string;
  readonly chars: number;
}

/** How files are read that are neither pictures nor short texts. */
export interface FileReaders {
  readonly readPdf: ReadPdf;
  /** Undefined: the service reads no documents, or the conversation keeps nothing. */
  readonly readDocument?: ((file: File) => Promise<ReadDocument>) | undefined;
}

/**
 * Reads files into those of a message; a PDF becomes its text, and so does any other document that the service reads. Throws an Error that names the file that exceeds a limit or
 * that no model can be given.
 */
export async function readFiles(
  files: readonly File[],
  before: readonly OutgoingFile[],
  readers: FileReaders,
): Promise<readonly OutgoingFile[]> {
  if (before.length + files.length > MAX_FILES) throw new Error(`At most ${MAX_FILES} files go with a message.`);
  let bytes = before.reduce((all, { raw }) => all + raw.length * 0.75, 0);
  const read: OutgoingFile[] = [];
  for (const file of files) {
    const made = await readFile(file, readers);
    bytes += made.raw.length * 0.75;
    if (bytes > MAX_BYTES) throw tooLarge(file);
    read.push(made);
  }
  return read;
}

async function readFile(file: File, { readPdf, readDocument }: FileReaders): Promise<OutgoingFile> {
  const isLarge = file.size > MAX_BYTES;
  if (isLarge && readDocument === undefined) throw tooLarge(file);
  const content = new Uint8Array(await file.arrayBuffer());
  if (isPdf(file, content) && !isLarge) {
    const read = await readPdf({ name: file.name, mediaType: "application/pdf", raw: base64Of(content) });
    // Of a long one more than the beginning can be found.
    return read.truncated && readDocument !== undefined ? documentOf(file, readDocument) : textOfPdf(file, read);
  }
  if (readDocument !== undefined && isDocument(file, content)) return documentOf(file, readDocument);
  if (isLarge) throw tooLarge(file);
  return fileOf(file, content);
}

/** A PDF, an office file, a book, or a text that is too long for a message. */
function isDocument(file: File, content: Uint8Array): boolean {
  if (PICTURE.test(file.type)) return false;
  if (isPdf(file, content) || isOffice(file) || /\.epub$/i.test(file.name)) return true;
  return content.length > MAX_TEXT_BYTES && isText(content);
}

/** A document as a file of the message: what the model reads of it. */
async function documentOf(file: File, readDocument: (file: File) => Promise<ReadDocument>): Promise<OutgoingFile> {
  const { name } = file;
  const { mode, context, chars } = await readDocument(file).catch((error: unknown) => {
    throw new Error(`"${name}" cannot be read: ${failureOf(error).message}`);
  });
  const more = `[The beginning of ${chars} characters; what fits a message of the rest is found by its words in this conversation.]`;
  const text = mode === "inline" ? context : `${more}\n\n${context}`;
  return { name, mediaType: "text/plain", raw: base64Of(new TextEncoder().encode(text)) };
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
    if (isOffice({ type, name })) {
      throw new Error(`"${name}" is an office file, which cannot be read yet. Save it as PDF and attach that.`);
    }
    throw new Error(`"${name}" cannot be read here. Attach pictures (PNG, JPEG, GIF, WebP), PDF or text.`);
  }
  if (bytes.length > MAX_TEXT_BYTES) throw new Error(`"${name}" is too long: a text of a message has at most 256 kB.`);
  return /^text\/[\w.+-]+$/.test(type) ? type : "text/plain";
}

function isOffice({ type, name }: Pick<File, "type" | "name">): boolean {
  return OFFICE_TYPE.test(type) || OFFICE_NAME.test(name);
}

function isPdf({ type }: File, bytes: Uint8Array): boolean {
  return type === "application/pdf" || new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";
}

/** The text of a PDF as a file of the message: what the model reads, and what is kept. */
function textOfPdf({ name }: File, read: Awaited<ReturnType<ReadPdf>>): OutgoingFile {
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
