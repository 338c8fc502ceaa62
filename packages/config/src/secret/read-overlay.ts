import { statSync } from "node:fs";
import type { ProblemSink } from "../problem/index.ts";
import { readYamlFile, type YamlMap } from "../yaml-file/index.ts";

/**
 * Reads the secrets overlay (B70 rule 1), `undefined` when there is none, which is normal. A file that
 * others can read is used but reported.
 */
export function readOverlay(file: string, sink: ProblemSink): YamlMap | undefined {
  const root = readYamlFile(file, "secrets", sink);
  if (root === undefined || process.platform === "win32") return root;
  const open = statSync(file, { throwIfNoEntry: false });
  if (open !== undefined && (open.mode & 0o077) !== 0)
    sink.warn({
      code: "open-permissions",
      from: { layer: "secrets", file, line: 1 },
      message: `${file}: other users can read it (mode ${(open.mode & 0o777).toString(8)}); run: chmod 600 ${file}`,
    });
  return root;
}
