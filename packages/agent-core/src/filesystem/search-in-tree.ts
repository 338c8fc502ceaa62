import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, readSync } from "node:fs";
import { globOf } from "./glob-of.ts";
import type { SearchJob } from "./tree-message.ts";
import type { MetFile, TreeWalk } from "./walk-tree.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Bytes of the beginning in which a NUL makes a file binary. */
const LOOKED_AT = 8_192;
const MAX_LINE_CHARS = 500;
const MAX_CHARS = 50_000;

/** Searches the text of files, one after the other. */
export class TextSearch {
  readonly #job: SearchJob;
  readonly #walk: TreeWalk;
  readonly #onLines: (lines: readonly string[]) => void;
  readonly #matches: ReturnType<typeof globOf>;
  /** For one line. */
  readonly #pattern: RegExp;
  /** For a whole text, to be done with a file that has nothing; undefined where a text could hide what a line has. */
  readonly #anywhere: RegExp | undefined;
  /** The bytes that a file must have. */
  readonly #needle: Buffer | undefined;
  readonly #buffer = Buffer.allocUnsafeSlow(MAX_FILE_BYTES + 1);
  #found = 0;
  #chars = 0;
  isCut = false;

  constructor(job: SearchJob, walk: TreeWalk, onLines: (lines: readonly string[]) => void) {
    const { pattern, flags, literal } = job;
    this.#job = job;
    this.#walk = walk;
    this.#onLines = onLines;
    this.#matches = globOf(job.glob);
    const source = literal ? pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
    this.#pattern = new RegExp(source, flags);
    // Around a match it may look at other lines, so only patterns that look at nothing else can be tried on all at once.
    if (!/\(\?<?[=!]/.test(source)) this.#anywhere = new RegExp(source, `${flags}m`);
    if (literal && !flags.includes("i")) this.#needle = Buffer.from(pattern);
  }

  run(): void {
    const { start } = this.#job;
    const from = start.path === "" ? 0 : start.path.length + 1;
    this.#walk.run((file) => {
      if (!this.#matches(file.path.slice(from), file.name)) return true;
      try {
        const text = this.#textOf(file);
        if (text !== undefined) this.#search(file.path, text);
      } catch {
        this.#walk.skipped.unreadable++;
      }
      return !this.isCut;
    });
  }

  /** Undefined: nothing of it is to be searched. */
  #textOf({ name, folder }: MetFile): string | undefined {
    const { skipped } = this.#walk;
    const fd = folder.openFile(name);
    if (fd === undefined) return undefined;
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || (stat.nlink > 1 && this.#walk.isHidden(fd))) return undefined;
      if (stat.size > MAX_FILE_BYTES) {
        skipped.large++;
        return undefined;
      }
      const length = readSync(fd, this.#buffer, 0, Math.min(stat.size + 1, this.#buffer.length), 0);
      const bytes = this.#buffer.subarray(0, length);
      if (bytes.subarray(0, LOOKED_AT).includes(0) || !isUtf8(bytes)) {
        skipped.binary++;
        return undefined;
      }
      if (this.#needle !== undefined && !bytes.includes(this.#needle)) return undefined;
      return bytes.toString();
    } finally {
      closeSync(fd);
    }
  }

  #search(path: string, text: string): void {
    if (this.#anywhere?.test(text) === false) return;
    const { output, context } = this.#job;
    const lines = text.split("\n");
    if (text.endsWith("\n")) lines.pop();
    const matched: number[] = [];
    const room = this.#job.limit - this.#found;
    for (const [index, line] of lines.entries()) {
      if (!this.#pattern.test(line.endsWith("\r") ? line.slice(0, -1) : line)) continue;
      matched.push(index);
      if (output === "files") break;
      if (output === "content" && matched.length > room) {
        matched.pop();
        this.isCut = true;
        break;
      }
    }
    if (matched.length === 0) return;
    if (output !== "content") {
      if (room === 0) this.isCut = true;
      else this.#add([output === "files" ? path : `${path}: ${matched.length}`]);
      this.#found++;
      return;
    }
    this.#found += matched.length;
    this.#add(
      context === 0
        ? matched.map((index) => lineOf(path, lines, index, ":"))
        : inContext(path, lines, matched, context),
    );
  }

  #add(lines: readonly string[]): void {
    const kept: string[] = [];
    for (const line of lines) {
      this.#chars += line.length + 1;
      if (this.#chars > MAX_CHARS) {
        this.isCut = true;
        break;
      }
      kept.push(line);
    }
    this.#onLines(kept);
  }
}

function lineOf(path: string, lines: readonly string[], index: number, sign: ":" | "-"): string {
  const line = lines[index]!.replace(/\r$/, "");
  const text = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS).toWellFormed()} …` : line;
  return `${path}${sign}${index + 1}${sign} ${text}`;
}

/** As grep shows it: groups of lines, those that match with `:`, a `--` between groups. */
function inContext(path: string, lines: readonly string[], matched: readonly number[], context: number): string[] {
  const isMatch = new Set(matched);
  const shown: string[] = [];
  let last = -1;
  for (const match of matched) {
    const first = Math.max(last + 1, match - context);
    if (last !== -1 && first > last + 1) shown.push("--");
    for (let index = first; index <= Math.min(lines.length - 1, match + context); index++) {
      if (index <= last) continue;
      shown.push(lineOf(path, lines, index, isMatch.has(index) ? ":" : "-"));
      last = index;
    }
  }
  return shown;
}
