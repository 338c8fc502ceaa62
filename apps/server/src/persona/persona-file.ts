/** The persona's text: `SOUL.md` beside the live configuration (B41 `/api/config`). */
import { readFileSync, statSync } from "node:fs";
import { writeFileAtomic } from "@agent-service/config";

/** Characters a persona may have; a longer file is not taken. */
export const MAX_PERSONA_CHARS = 200_000;
/** Bytes from which on a file is not even read. */
const MAX_PERSONA_BYTES = 4 * MAX_PERSONA_CHARS;

/** The file, read once and again when it is told to. */
export interface PersonaFile {
  /** The text that counts; blank: there is none. The same string while the file stays as it is. */
  text(): string;
  /** Reads again. A file that cannot be taken leaves what counted and is told of. */
  reload(): void;
  /** Calls the listener whenever another text counts. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Replaces the file, atomically; it counts at once. Blank empties it. Throws what the file system throws. */
  write(text: string): void;
}

/** What opening one needs. */
export interface PersonaFileOptions {
  readonly file: string;
  readonly warn: (message: string) => void;
}

/** One form for every editor: no byte order mark, line feeds, nothing a model or a store cannot take. */
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
