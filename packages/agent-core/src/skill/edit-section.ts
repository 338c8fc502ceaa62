/** Editing one `##` section of a text in Markdown (K29). */

export interface SectionEdit {
  /** The heading, found without regard to case; a section that is not there is made at the end. */
  readonly section: string;
  readonly content: string;
  readonly mode: "replace" | "append";
}

const FENCE = /^ {0,3}(?:```|~~~)/;

/** The text with the section edited. */
export function editSection(text: string, { section, content, mode }: SectionEdit): string {
  const lines = text === "" ? [] : text.split("\n");
  const headings = headingsOf(lines);
  const start = headings.find(({ level, title }) => level === 2 && folded(title) === folded(section));
  const added = content.trim();
  if (start === undefined)
    return [text.trimEnd(), `## ${section.trim()}\n\n${added}`].filter((one) => one !== "").join("\n\n");
  const end = headings.find(({ line }) => line > start.line)?.line ?? lines.length;
  const before = lines
    .slice(start.line + 1, end)
    .join("\n")
    .trim();
  const body = mode === "replace" || before === "" ? added : `${before}\n\n${added}`;
  const rest = lines.slice(end).join("\n");
  const head = [...lines.slice(0, start.line + 1), "", body].join("\n");
  return rest === "" ? head : `${head}\n\n${rest}`;
}

/** Whether a content would begin sections of its own. */
export function hasSections(content: string): boolean {
  return headingsOf(content.split("\n")).length > 0;
}

function headingsOf(lines: readonly string[]): { line: number; level: number; title: string }[] {
  let isCode = false;
  return lines.flatMap((text, line) => {
    if (FENCE.test(text)) isCode = !isCode;
    const [, marks, title] = isCode ? [] : (/^ {0,3}(#{1,2})[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(text) ?? []);
    return marks === undefined ? [] : [{ line, level: marks.length, title: title ?? "" }];
  });
}

function folded(title: string): string {
  return title.normalize("NFKC").trim().replace(/\s+/gu, " ").toLowerCase();
}
