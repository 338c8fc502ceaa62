/** The text of a PDF that a person attaches (B33): read off the main thread, within limits of pages, text and time. */
import { createPageReader, type PageReader, WebToolError } from "@agent-service/agent-core/host";
import { type ChatService, Problem } from "@agent-service/operator-api";

/** Bounds of reading. Text beyond `bytes` could not go with a message as one file (A12). */
export const FILE_TEXT_LIMITS = Object.freeze({ pages: 500, bytes: 256 * 1024, readMs: 20_000, waiting: 8 });

/** Why a file is not read, behind its name. */
const WHY: ReadonlyMap<string, string> = new Map([
  ["page.slow", "takes too long to read"],
  ["page.too-large", "takes too much memory to read"],
]);

/** Reads attached files; starts nothing until one comes. */
export function fileTextReader(
  reader: PageReader = createPageReader({ timeoutMs: FILE_TEXT_LIMITS.readMs, waiting: FILE_TEXT_LIMITS.waiting }),
): ChatService["fileText"] {
  return async ({ name, media_type: type, data }, signal) => {
    const file = name.slice(0, 200);
    const bytes = Buffer.from(data, "base64");
    if (!/^application\/(x-)?pdf$/i.test(type) && bytes.toString("latin1", 0, 5) !== "%PDF-") {
      throw refusal("unsupported", `"${file}" is no PDF, which is all that can be read here.`);
    }
    const { pages, bytes: characters } = FILE_TEXT_LIMITS;
    const job = { kind: "pdf", bytes, limits: { pages, characters } } as const;
    const read = await reader.read(job, signal).catch((error: unknown) => {
      if (!(error instanceof WebToolError)) throw error;
      if (error.code === "page.busy")
        throw new Problem(429, "Too many files wait to be read already.", { retryAfter: 5 });
      throw refusal(
        "unreadable",
        `"${file}" ${WHY.get(error.code) ?? "cannot be read: it is damaged, or locked by a password"}.`,
      );
    });
    if (read.text === "") {
      throw refusal("no_text", `"${file}" holds no text, only pictures of it. Attach the pages as pictures instead.`);
    }
    const text = cutTo(read.text, FILE_TEXT_LIMITS.bytes);
    const truncated = text !== read.text || read.pagesRead < read.pages;
    return { text, pages: read.pages, pages_read: read.pagesRead, truncated };
  };
}

function refusal(code: string, message: string): Problem {
  return new Problem(400, { code, message });
}

/** The beginning of a text that takes at most so many bytes. */
function cutTo(text: string, limit: number): string {
  const bytes = new Uint8Array(limit);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read);
}
