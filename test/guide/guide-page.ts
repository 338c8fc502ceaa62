/** The blocks of the guide that the walk writes: each stands behind a comment with its name. */
const BLOCK = /(<!-- walk: ([\w-]+) -->\n```\w*\n)([\s\S]*?)(\n```)/g;

/** The page with these texts in its blocks. Throws where a block has no text, or a text no block. */
export function fillBlocks(page: string, texts: ReadonlyMap<string, string>): string {
  const left = new Set(texts.keys());
  const filled = page.replaceAll(BLOCK, (_, head: string, name: string, _former: string, end: string) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`the walk has no output for the block ${name}`);
    left.delete(name);
    return `${head}${text}${end}`;
  });
  if (left.size > 0) throw new Error(`the guide has no block for ${[...left].join(", ")}`);
  return filled;
}

/** The blocks as they stand in the page. */
export function blocksOf(page: string): ReadonlyMap<string, string> {
  return new Map([...page.matchAll(BLOCK)].map(([, , name = "", text = ""]) => [name, text]));
}
