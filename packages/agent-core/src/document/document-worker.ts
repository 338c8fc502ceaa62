/** The document thread: reads one document, has its texts cleaned by its host, and hands over the pieces as they are asked for. */
import { parentPort, workerData } from "node:worker_threads";
import { cut, cutPieces } from "./cut-pieces.ts";
import { DocumentError } from "./document-error.ts";
import { DOCUMENT_LIMITS } from "./document-limits.ts";
import type { DocumentInput, DocumentText, FromThread, Piece, Section, ToThread } from "./document-message.ts";
import { readSections } from "./read-sections.ts";

/** Characters that are cleaned at a time: the host holds everything else up while it does so. */
const CLEANED_AT_ONCE = 32_768;

const port = parentPort as NonNullable<typeof parentPort>;
const say = (message: FromThread): void => port.postMessage(message);
const hear = (): Promise<ToThread> => new Promise((resolve) => port.once("message", resolve));

/** Cuts long texts, where a paragraph or a line ends, so that no secret is parted. */
function* parts(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > CLEANED_AT_ONCE) {
    const window = text.slice(start, start + CLEANED_AT_ONCE);
    const at = [window.lastIndexOf("\n\n"), window.lastIndexOf("\n"), window.lastIndexOf(" ")].find(
      (found) => found > CLEANED_AT_ONCE / 2,
    );
    const end = start + (at === undefined ? CLEANED_AT_ONCE : at + 1);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** The same texts without secrets, cleaned by the host a few at a time. */
async function cleaned(texts: readonly string[]): Promise<string[]> {
  const clean: string[] = [];
  let waiting: { text: number; part: string }[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    say({ kind: "texts", texts: waiting.map(({ part }) => part) });
    const back = await hear();
    if (back.kind !== "texts") throw new DocumentError("document.unreadable", "the document was given up");
    for (const [i, part] of back.texts.entries()) {
      const { text } = waiting[i] as (typeof waiting)[number];
      clean[text] = (clean[text] ?? "") + part;
    }
    waiting = [];
    size = 0;
  };
  for (const [text, whole] of texts.entries())
    for (const part of parts(whole)) {
      waiting.push({ text, part });
      size += part.length + 16;
      if (size >= CLEANED_AT_ONCE) await flush();
    }
  await flush();
  return clean;
}

async function cleanedDocument({ type, title, sections }: DocumentText): Promise<DocumentText> {
  const [shownTitle = "", ...texts] = await cleaned([
    title,
    ...sections.flatMap(({ heading, text }) => [heading, text]),
  ]);
  const own = sections.map((_, i): Section => ({ heading: texts[2 * i] ?? "", text: texts[2 * i + 1] ?? "" }));
  return { type, title: shownTitle, sections: own };
}

function piecesOf({ sections }: DocumentText): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const piece of cutPieces(sections)) {
    if (pieces.push(piece) > DOCUMENT_LIMITS.pieces)
      throw new DocumentError("document.too-large", "the document has more text than one document may have");
  }
  if (pieces.length === 0) throw new DocumentError("document.empty", "the document holds no text");
  return pieces;
}

/** The first characters, by which people and models see what it is. */
function openingOf({ sections }: DocumentText): string {
  let text = "";
  for (const { heading, text: own } of sections) {
    if (text.length >= DOCUMENT_LIMITS.openingChars) break;
    text += `${text === "" ? "" : "\n\n"}${heading === "" ? "" : `${heading}\n\n`}${own.slice(0, DOCUMENT_LIMITS.openingChars)}`;
  }
  return cut(text, DOCUMENT_LIMITS.openingChars);
}

async function serve(input: DocumentInput): Promise<void> {
  const document = await cleanedDocument(await readSections(input));
  const pieces = piecesOf(document);
  const chars = document.sections.reduce((sum, { text }) => sum + text.length, 0);
  const { type, title } = document;
  say({ kind: "cut", type, title, chars, pieces: pieces.length, opening: openingOf(document) });
  for (let given = 0; given < pieces.length; ) {
    const asked = await hear();
    if (asked.kind !== "next") return;
    say({ kind: "pieces", pieces: pieces.slice(given, given + asked.pieces) });
    given += asked.pieces;
  }
}

await serve(workerData as DocumentInput).catch((error: unknown) => {
  const known = error instanceof DocumentError;
  say({
    kind: "failed",
    code: known ? error.code : "document.unreadable",
    message: known ? error.message : "the document is damaged, or not what it seems",
  });
});
port.close();
