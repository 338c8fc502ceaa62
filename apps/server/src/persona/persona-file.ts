/** The persona's text: `SOUL.md` beside the live configuration (B41 `/api/config`). */
import { readFileSync, statSync } from "node:fs";
import { writeFileAtomic } from "@agent-service/config";

/** Characters a persona may have; a longer file is rejected. */
export const MAX_PERSONA_CHARS = 200_000;
/** Bytes from which on a file is not even read. */
const MAX_PERSONA_BYTES = 4 * MAX_PERSONA_CHARS;

/** The file, read once and again on `reload`. */
export interface PersonaFile {
  /** The text in effect; blank: none. The same string while the file is unchanged. */
  text(): string;
  /** Reads the file again. A file that is rejected leaves the text in effect and causes a warning. */
  reload(): void;
  /** Calls the listener whenever the text changes. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Replaces the file atomically, with effect at once. Blank empties it. Throws errors of the file system. */
  write(text: string): void;
}

export interface PersonaFileOptions {
  readonly file: string;
  readonly warn: (message: string) => void;
}

/** One form for every editor: no byte order mark, line feeds, no characters that a model or a store rejects. */
function normal(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "")
    .toWellFormed()
    .trim();
}

function read(file: string): string {
  const { size } = statSync(file);
  if (size > MAX_PERSONA_BYTES) throw new Error(`it has ${size} bytes, at most ${MAX_PERSONA_BYTES} are read`);
  const text = normal(readFileSync(file, "utf8"));
  if (text.length > MAX_PERSONA_CHARS)
    throw new Error(`it has ${text.length} characters, at most ${MAX_PERSONA_CHARS} are taken`);
  return text;
}

/** Opens the persona's file, which need not exist. */
export function openPersonaFile({ file, warn }: PersonaFileOptions): PersonaFile {
  let current = "";
  const listeners = new Set<() => void>();
  const take = (text: string): void => {
    if (text === current) return;
    current = text;
    for (const listener of listeners) listener();
  };
  const reload = (): void => {
    try {
      take(read(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") take("");
      else warn(`${file}: the persona cannot be read, the one before counts on: ${(error as Error).message}`);
    }
  };
  reload();
  return {
    text: () => current,
    reload,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    write(text) {
      const next = normal(text);
      writeFileAtomic(file, next === "" ? "" : `${next}\n`, { mode: 0o644, when: "replace" });
      take(next);
    },
  };
}
