import { emptyNames } from "./architecture-plan.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Violation } from "./violation.ts";

/** Rule 2, names: no folder or file is called exactly lib, utils, helpers, common, misc or manager. */
export function nameRule(tree: SourceTree): readonly Violation[] {
  return [...tree.keys()].flatMap((file) => {
    const empty = file.split("/").find((segment) => emptyNames.has(segment.split(".")[0] ?? ""));
    return empty === undefined ? [] : [{ file, message: `"${empty}" describes nothing: name it after its content` }];
  });
}
