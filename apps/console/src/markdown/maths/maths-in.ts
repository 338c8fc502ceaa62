/** Code, which holds no formulas: fences, also one that is still open, and spans. */
const CODE =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n {0,3}\1[`~]*[ \t]*(?=\n|$)|$(?![\s\S]))|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)/gm;
const DISPLAY = /\\\[([\s\S]+?)\\\]/g;
const INLINE = /\\\(([^\n]+?)\\\)/g;
/**
 * A formula between single dollars: no space inside the dollars, no digit behind the second, none on several lines or cells
 * of a table. So "$5 and $10" stays money.
 */
const DOLLARS = /(?<![\\$\w])\$(?![\s$])([^$\n|]*[^\s$\\|])\$(?![\d$\w])/g;

/** The text with its formulas written the one way that the parser knows: between double dollars. */
export function withDoubleDollars(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  let out = "";
  let from = 0;
  for (const code of text.matchAll(CODE)) {
    out += converted(text.slice(from, code.index)) + code[0];
    from = code.index + code[0].length;
  }
  return out + converted(text.slice(from));
}

function converted(text: string): string {
  return text
    .replace(DISPLAY, (_, tex: string) => `\n$$\n${tex.trim()}\n$$\n`)
    .replace(INLINE, (_, tex: string) => `$$${tex.trim()}$$`)
    .replace(DOLLARS, (_, tex: string) => `$$${tex}$$`);
}
