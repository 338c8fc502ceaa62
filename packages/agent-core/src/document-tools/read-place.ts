import type { FileHandle } from "node:fs/promises";
import { DOCUMENT_LIMITS, DocumentError } from "../document/index.ts";
import type { Fence } from "../fence/index.ts";

/** A document, with its place in its project. */
interface Place {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly uri: string;
}

/** Reads a document from a file of a project. @throws FenceRefusal @throws DocumentError too-large */
export async function readPlace(path: string, fence: Fence, signal: AbortSignal): Promise<Place> {
  const located = await fence.open({ path, for: "read" });
  try {
    const file = await located.openFile();
    try {
      const bytes = await wholeOf(file, signal);
      const name = located.path.split("/").at(-1) ?? "";
      return { bytes, name, uri: `${located.named.name}/${located.pathInNamed}` };
    } finally {
      await file.close();
    }
  } finally {
    await located.close();
  }
}

/** A file may grow while it is read. */
async function wholeOf(file: FileHandle, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await file.stat();
  const most = DOCUMENT_LIMITS.bytes;
  if (size > most) throw new DocumentError("document.too-large", `a document has at most ${most} bytes`);
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.slice(0, at);
}
