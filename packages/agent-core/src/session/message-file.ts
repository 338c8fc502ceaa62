/** The content of what was attached to a message, as the journal holds it, and of images that tools returned. */
import type { Database } from "../database/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { FILE_OF_TURN, IMAGE_OF_CALL } from "./turn-statements.ts";

/** An attached file with its content. */
export interface FileContent {
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Where a file is: in a session's turn, under the id that its message gives it. */
export interface FilePlace {
  readonly session: string;
  readonly task: string;
  readonly file: string;
}

/** Of the event, of the message where an event holds several, and of the part: `3.1`, `3.0.1`. */
const ID = /^(\d{1,9})\.(?:(\d{1,6})\.)?(\d{1,6})$/;

/** Of a call, and of the image among those of its result. */
const IMAGE_ID = /^image\.(.{1,300})\.(\d)$/s;
/** What browsers show without running any of it. Nothing else is kept as an image. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** The id of an image of a call's result. */
export function imageId(call: string, no: number): string {
  return `image.${call}.${no}`;
}

async function readCallImage(
  db: Database,
  { session: id, task }: FilePlace,
  image: { readonly call: string; readonly no: number },
): Promise<FileContent | undefined> {
  const [row] = await db.read(IMAGE_OF_CALL.bind({ id, task, ...image }), "long");
  if (row === undefined || !PICTURE.test(String(row[0]))) return undefined;
  return { name: undefined, mediaType: String(row[0]), bytes: Buffer.from(String(row[1]), "base64") };
}

/** Reads a file; undefined where there is none, any more or at all. Secrets are taken out of those that are text (S5). */
export async function readFileContent(
  db: Database,
  { session, task, file }: FilePlace,
  redactor: Redactor,
): Promise<FileContent | undefined> {
  const [, call, no] = IMAGE_ID.exec(file) ?? [];
  if (call !== undefined) return readCallImage(db, { session, task, file }, { call, no: Number(no) });
  const [, seq, message = "0", part] = ID.exec(file) ?? [];
  if (seq === undefined || part === undefined) return undefined;
  const place = { id: session, task, seq: Number(seq), message: Number(message), part: Number(part) };
  const [row] = await db.read(FILE_OF_TURN.bind(place), "long");
  if (row === undefined) return undefined;
  const [name, type, base64] = row;
  const bytes = Buffer.from(String(base64), "base64");
  const mediaType = String(type);
  return {
    name: name === null ? undefined : redactor.text(String(name)),
    mediaType,
    bytes: redactedText(bytes, redactor),
  };
}

/** As it is where it is no text, as pictures are: what type it was sent under says nothing. */
function redactedText(bytes: Uint8Array, redactor: Redactor): Uint8Array {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return new TextEncoder().encode(redactor.text(text));
  } catch {
    return bytes;
  }
}
