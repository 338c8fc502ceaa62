/** A fenced block of a Markdown file. */
export interface CodeBlock {
  /** The language, the first word after the fence. */
  readonly language: string;
  /** What follows the language on the fence's line. */
  readonly info: string;
  readonly text: string;
  /** 1-based line of the fence. */
  readonly line: number;
}

/** A Markdown file, taken apart as far as the checks need it. */
export interface Markdown {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** Link targets with their lines, images included. */
  readonly links: readonly { readonly target: string; readonly line: number }[];
  /** The contents of backtick spans outside fenced blocks. */
  readonly spans: readonly { readonly text: string; readonly line: number }[];
  /** The anchors of its headings, as the forges make them. */
  readonly anchors: ReadonlySet<string>;
}

function anchorOf(heading: string): string {
  const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
  return plain
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Reads a Markdown file: fences of three or more backticks, inline links, backtick spans and `#` headings. */
export function parseMarkdown(path: string, source: string): Markdown {
  const blocks: CodeBlock[] = [];
  const links: { target: string; line: number }[] = [];
  const spans: { text: string; line: number }[] = [];
  const anchors = new Set<string>();
  const lines = source.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const text = lines[index] ?? "";
    const line = index + 1;
    const fence = /^\s*(`{3,})\s*(\S*)\s*(.*)$/.exec(text);
    if (fence) {
      const end = lines.findIndex((other, at) => at > index && other.trim() === fence[1]);
      const last = end === -1 ? lines.length : end;
      const body = lines.slice(index + 1, last).join("\n");
      blocks.push({ language: fence[2] ?? "", info: (fence[3] ?? "").trim(), text: body, line });
      index = last;
      continue;
    }
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    if (heading !== undefined) anchors.add(anchorOf(heading));
    for (const span of text.matchAll(/`([^`]+)`/g)) spans.push({ text: span[1] ?? "", line });
    const withoutCode = text.replaceAll(/`[^`]*`/g, "");
    for (const link of withoutCode.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g))
      links.push({ target: link[1] ?? "", line });
    const reference = /^\[[^\]]+\]:\s*(\S+)/.exec(withoutCode)?.[1];
    if (reference !== undefined) links.push({ target: reference, line });
  }
  return { path, blocks, links, spans, anchors };
}
