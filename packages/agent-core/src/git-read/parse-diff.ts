/** Reads `git diff --raw --numstat --patch -z`. */

/** One file of it, with its part of the patch. */
export interface DiffSection {
  readonly status: "M" | "A" | "D" | "R" | "T" | "U";
  readonly path: string;
  /** Before it was renamed. */
  readonly oldPath: string | undefined;
  /** Undefined for a binary file. */
  readonly additions: number | undefined;
  readonly deletions: number | undefined;
  /** Undefined where the output ended before it was whole. */
  readonly patch: string | undefined;
}

/** `isWhole`: nothing of the output is missing. */
export function parseDiff(bytes: Buffer, isWhole: boolean): readonly DiffSection[] {
  const fields = new Fields(bytes);
  const sections = readRaw(fields);
  const numbers = readNumbers(fields);
  const parts = splitPatch(fields.rest(), isWhole);
  let next = 0;
  return sections.map((section) => {
    const count = section.status === "U" ? 0 : section.status === "T" ? 2 : 1;
    const taken = parts.slice(next, next + count);
    next += count;
    const patch = taken.length === count ? taken.join("") : undefined;
    return { ...section, ...(numbers.get(section.path) ?? { additions: undefined, deletions: undefined }), patch };
  });
}

type RawSection = Pick<DiffSection, "status" | "path" | "oldPath">;

function readRaw(fields: Fields): RawSection[] {
  const sections: RawSection[] = [];
  while (fields.startsWith(":")) {
    const status = (fields.next()?.split(" ")[4] ?? "M")[0] as DiffSection["status"];
    const first = fields.next();
    const second = status === "R" ? fields.next() : undefined;
    if (first === undefined) break;
    const [oldPath, path] = second === undefined ? [undefined, first] : [first, second];
    sections.push({ status, path, oldPath });
  }
  return sections;
}

function readNumbers(fields: Fields): Map<string, Pick<DiffSection, "additions" | "deletions">> {
  const numbers = new Map<string, Pick<DiffSection, "additions" | "deletions">>();
  const count = (text: string | undefined): number | undefined =>
    text === undefined || text === "-" ? undefined : Number(text);
  for (let field = fields.next(); field !== undefined && field !== ""; field = fields.next()) {
    const [added, deleted, ...name] = field.split("\t");
    let path = name.join("\t");
    if (path === "") {
      fields.next();
      path = fields.next() ?? "";
    }
    numbers.set(path, { additions: count(added), deletions: count(deleted) });
  }
  return numbers;
}

/**
 * The parts of a patch, one per file: no line of a file's content begins like this, since each begins with a blank, a
 * sign or a backslash, and git quotes a line break in a name.
 */
function splitPatch(patch: string, isWhole: boolean): string[] {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return (isWhole ? parts : parts.slice(0, -1)).map((part) => part.replaceAll(/^\* Unmerged path .*\n/gm, ""));
}

/** Texts that NUL divides. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  startsWith(text: string): boolean {
    return this.#bytes.toString("latin1", this.#at, this.#at + text.length) === text;
  }

  /** Undefined at the end, and for one that is cut off. */
  next(): string | undefined {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) return undefined;
    const field = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return field;
  }

  rest(): string {
    return this.#bytes.toString("utf8", this.#at);
  }
}
