import path from "node:path";
import type { Violation } from "../architecture/violation.ts";
import type { Repository } from "./doc-sources.ts";
import type { Markdown } from "./markdown.ts";

/** The first segments that make a backtick span a path of this repository. */
const topLevel = /^(packages|apps|examples|bench|docs|test|\.ci|\.changeset)(\/|$)/;
const fileLike = /^[\w@.*<>-]+(\/[\w@.*<>-]+)*\.(tsx?|mjs|js|json|ya?ml|md|sql|css|html)$/;

/** Cuts a path before its first variable part: `packages/<name>/src` and `packages/*` become `packages`. */
function fixedPart(file: string): string {
  const segments = file.split("/");
  const variable = segments.findIndex((segment) => /[*<>{}…]/.test(segment));
  return (variable === -1 ? segments : segments.slice(0, variable)).join("/");
}

/** A build's output is there once its source is: `dist/main.js` is checked as `src/main.ts`. */
function sourceOf(file: string): readonly string[] {
  const inSource = file.replace(/(^|\/)dist(\/|$)/, "$1src$2");
  return inSource === file ? [file] : [inSource.replace(/\.js$/, ".ts"), inSource.replace(/\.js$/, ".tsx")];
}

function exists(repository: Repository, candidates: readonly string[]): boolean {
  return candidates
    .map((candidate) => path.posix.normalize(fixedPart(candidate)))
    .flatMap(sourceOf)
    .some((file) => file === "." || file === "" || repository.has(file));
}

function linkProblem(
  document: Markdown,
  target: string,
  documents: readonly Markdown[],
  repository: Repository,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [file = "", anchor] = target.split("#");
  const folder = path.posix.dirname(document.path);
  const resolved = file === "" ? document.path : path.posix.normalize(path.posix.join(folder, file));
  if (file !== "" && !exists(repository, [resolved])) return `links to ${target}, which is not there`;
  const linked = documents.find((other) => other.path === resolved);
  const isKnown = anchor === undefined || !linked || linked.anchors.has(anchor);
  return isKnown ? undefined : `links to ${target}, but ${resolved} has no such heading`;
}

/**
 * Rule 10, paths: every relative link leads somewhere (its heading too), and every path in backticks that is meant
 * to be one of this repository exists. A path is meant so when it starts with one of the repository's folders or `./`,
 * or names a file in a folder; it is looked up from the root, from the document and from the document's `src`.
 */
export function pathCheck(documents: readonly Markdown[], repository: Repository): readonly Violation[] {
  return documents.flatMap((document) => {
    const folder = path.posix.dirname(document.path);
    const links = document.links.flatMap(({ target, line }) => {
      const message = linkProblem(document, target, documents, repository);
      return message === undefined ? [] : [{ file: document.path, line, message }];
    });
    const spans = document.spans.flatMap(({ text, line }) => {
      const file = text.replace(/:\d+$/, "").replace(/#[\w-]+$/, "");
      const isPath = topLevel.test(file) || /^\.\.?\//.test(file) || (file.includes("/") && fileLike.test(file));
      if (!isPath || /[\s"'()=,|]/.test(file) || file.startsWith(".well-known/")) return [];
      const candidates = [file, path.posix.join(folder, file), path.posix.join(folder, "src", file)];
      return exists(repository, candidates)
        ? []
        : [{ file: document.path, line, message: `names ${text}, which is not there` }];
    });
    return [...links, ...spans];
  });
}
