/** Which tests name which requirements. */

import { chainRoot, isNode, parseTree, walk } from "../architecture/parsed-file.ts";
import { isTestFile } from "../architecture/source-path.ts";
import type { SourceTree } from "../architecture/source-tree.ts";

/** A test that names an id in its title. */
export interface Citation {
  readonly id: string;
  /** Path from the repository's root. */
  readonly file: string;
  readonly line: number;
}

/** An id of a requirement, of either version, or of a deliberate difference; cut off ones too, so that they are found. */
const ID = /\b(?:R(?:10|03)-(?:[\w:]|\.(?=\w)|-(?=\w))+|DEV-[\w-]+)/g;

/** Every id in the title of a test. Other texts, comments and titles of groups do not count. */
export function citationsIn(tree: SourceTree): readonly Citation[] {
  const tests = new Map([...tree].filter(([path, text]) => isTestFile(path) && /R(?:10|03)-|DEV-/.test(text)));
  return parseTree(tests).flatMap((file) => {
    const found: Citation[] = [];
    walk(file.program, (node) => {
      if (node.type !== "CallExpression" || !/^(it|test)$/.test(chainRoot(node.callee) ?? "")) return;
      const [title] = node.arguments as readonly unknown[];
      if (!isNode(title) || title.type !== "Literal" || typeof title.value !== "string") return;
      const line = file.lineAt(node.start);
      for (const [id] of title.value.matchAll(ID)) found.push({ id, file: file.path, line });
    });
    return found;
  });
}
