/** Takes apart the patch of a project: a part for each file, and its lines with their numbers. */

/** A line of a patch. Numbers are of the file before and after; undefined where it has no such line. */
export interface PatchLine {
  readonly kind: "hunk" | "same" | "added" | "removed" | "note";
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/** The parts of a patch by the name of the file as it is now, or was where it is deleted. */
export function patchesByPath(patch: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of patch.split(/^(?=diff --git )/m)) {
    const path = pathOf(part.slice(0, part.search(/\n|$/)));
    // A file that became a link has two parts.
    if (path !== undefined) parts.set(path, `${parts.get(path) ?? ""}${part}`);
  }
  return parts;
}

/** The second of two names, which are the same unless one is quoted or the file was renamed. */
function pathOf(header: string): string | undefined {
  const names = header.slice("diff --git ".length);
  const quoted = /"b\/((?:[^"\\]|\\.)*)"$/.exec(names);
  if (quoted !== null) return unquoted(quoted[1]!);
  // Both names are equally long: `a/x b/x`.
  const half = (names.length - 1) / 2;
  if (Number.isInteger(half) && names.slice(2, half) === names.slice(half + 3)) return names.slice(half + 3);
  const at = names.lastIndexOf(" b/");
  return at === -1 ? undefined : names.slice(at + 3);
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", '"': '"', "\\": "\\" };

function unquoted(name: string): string {
  return name.replaceAll(/\\([0-7]{3}|.)/g, (_, sign: string) =>
    sign.length === 3 ? String.fromCodePoint(Number.parseInt(sign, 8)) : (ESCAPES[sign] ?? sign),
  );
}

/** The lines of a file's part, without its header. */
export function patchLines(part: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of part.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      [before, after, inHunk] = [Number(hunk[1]), Number(hunk[2]), true];
      lines.push({ kind: "hunk", before: undefined, after: undefined, text: line });
    } else if (line.startsWith("diff --git ")) inHunk = false;
    else if (inHunk) lines.push(lineOf(line));
  }
  return lines;

  function lineOf(line: string): PatchLine {
    const text = line.slice(1).replace(/\r$/, "");
    if (line.startsWith("+")) return { kind: "added", before: undefined, after: after++, text };
    if (line.startsWith("-")) return { kind: "removed", before: before++, after: undefined, text };
    if (line.startsWith("\\")) return { kind: "note", before: undefined, after: undefined, text: text.trim() };
    return { kind: "same", before: before++, after: after++, text };
  }
}
