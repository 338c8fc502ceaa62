import type { Violation } from "../architecture/violation.ts";
import type { Repository } from "./doc-sources.ts";
import type { CodeBlock, Markdown } from "./markdown.ts";

/** Removes the indentation all lines share, and blank lines at both ends. */
function dedent(text: string): string {
  const lines = text
    .replace(/^(\s*\n)+/, "")
    .trimEnd()
    .split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return lines.map((line) => line.slice(Number.isFinite(shared) ? shared : 0).trimEnd()).join("\n");
}

/** The text between `// #region <name>` and `// #endregion <name>`; undefined where the file has no such region. */
function regionOf(text: string, name: string): string | undefined {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${name}`);
  return start === -1 || end < start ? undefined : lines.slice(start + 1, end).join("\n");
}

function blockProblem({ info, text }: CodeBlock, repository: Repository): string | undefined {
  const named = /(?:^|\s)file=(\S+?)(?:#(\S+))?(?:\s|$)/.exec(info);
  if (!named)
    return 'TypeScript in documents comes from a compiled file: write "```ts file=examples/…#region" on its fence';
  const [, file = "", region] = named;
  const source = repository.read(file);
  if (source === undefined) return `shows ${file}, which is not there`;
  const expected = region === undefined ? source : regionOf(source, region);
  if (expected === undefined) return `shows ${file}#${region}, but the file has no "// #region ${region}"`;
  return dedent(expected) === dedent(text)
    ? undefined
    : `differs from ${file}${region === undefined ? "" : `#${region}`}`;
}

/**
 * Rule 10, code: every TypeScript block in the documents names the compiled file it shows
 * (`ts file=<path from the root>[#region]`) and equals that file, or the region of it between `// #region <name>` and
 * `// #endregion <name>`, apart from shared indentation.
 */
export function exampleCheck(documents: readonly Markdown[], repository: Repository): readonly Violation[] {
  return documents.flatMap((document) =>
    document.blocks.flatMap((block) => {
      const message = /^(ts|tsx|typescript)$/.test(block.language) ? blockProblem(block, repository) : undefined;
      return message === undefined ? [] : [{ file: document.path, line: block.line, message }];
    }),
  );
}
