/** Runs in the document thread: the files of an archive that are asked for. Nothing of it is written anywhere. */
import { unzipSync } from "fflate";
import { DocumentError } from "./document-error.ts";
import { DOCUMENT_LIMITS } from "./document-limits.ts";

const { entries: MOST_ENTRIES, unpackedBytes, unpackedRatio } = DOCUMENT_LIMITS;
/** What any archive may unpack to, however small it is. */
const LEAST_BOUND = 4 * 1024 * 1024;

/** A part of an archive that is asked for by its name. */
export interface Archive {
  /** Undefined: it has no such file. */
  text(name: string): string | undefined;
  /** Its files' names. */
  readonly names: readonly string[];
}

/** Unpacks the files with names that are wanted. @throws DocumentError */
export function readArchive(bytes: Uint8Array, wanted: (name: string) => boolean): Archive {
  if (((bytes[6] ?? 0) & 1) === 1) throw new DocumentError("document.encrypted", "the document needs a password");
  const names: string[] = [];
  let unpacked = 0;
  const most = Math.min(unpackedBytes, Math.max(LEAST_BOUND, bytes.length * unpackedRatio));
  const files = unpacking(() =>
    unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (names.push(name) > MOST_ENTRIES)
          throw new DocumentError("document.too-large", `the archive has more than ${MOST_ENTRIES} files`);
        if (!wanted(name)) return false;
        unpacked += originalSize;
        if (unpacked > most) throw new DocumentError("document.too-large", "the document unpacks to more than one may");
        return true;
      },
    }),
  );
  const found = new Map(Object.entries(files));
  return {
    names,
    text(name) {
      const file = found.get(name);
      return file === undefined ? undefined : new TextDecoder().decode(file);
    },
  };
}

function unpacking<T>(unpack: () => T): T {
  try {
    return unpack();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError("document.unreadable", "the archive is damaged");
  }
}
