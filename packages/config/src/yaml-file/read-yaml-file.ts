import { readFileSync, statSync } from "node:fs";
import { type ProblemSink, problemAt } from "../problem/index.ts";
import type { Provenance } from "../provenance/index.ts";
import { parseYaml, YAML_LIMITS } from "./parse-yaml.ts";
import type { YamlMap } from "./yaml-node.ts";

/**
 * Reads one file of the cascade. A file that does not exist is `undefined` and no problem; one that cannot be read, is
 * too large, is not UTF-8 or is not acceptable YAML is reported once as an error and then `undefined`, too.
 */
export function readYamlFile(file: string, layer: "host" | "file" | "secrets", sink: ProblemSink): YamlMap | undefined {
  const from: Provenance = { layer, file, line: 1 };
  const unreadable = (reason: string) => {
    sink.error({ code: "unreadable", from, message: `${file}: ${reason}` });
    return undefined;
  };
  let bytes: Buffer;
  try {
    // Checked before opening: a pipe or device at this path would block the start for ever.
    const stat = statSync(file);
    if (!stat.isFile()) return unreadable("is not a file");
    if (stat.size > YAML_LIMITS.bytes) return unreadable(`is larger than ${YAML_LIMITS.bytes / 1024} KiB`);
    bytes = readFileSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === "ENOENT" ? undefined : unreadable(`cannot be read (${code ?? "unknown error"})`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return unreadable("is not UTF-8 text");
  }
  return readYamlText(text, { layer, file }, sink);
}

/** Reads the text of a file of the cascade; what is wrong with it is reported as the file's. */
export function readYamlText(
  text: string,
  from: { readonly layer: "host" | "file" | "secrets"; readonly file: string },
  sink: ProblemSink,
): YamlMap | undefined {
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes) {
    const message = `${from.file}: is larger than ${YAML_LIMITS.bytes / 1024} KiB`;
    sink.error({ code: "unreadable", from: { ...from, line: 1 }, message });
    return undefined;
  }
  const result = parseYaml(text);
  if (result.ok) return result.root;
  sink.error(problemAt("syntax", { ...from, line: result.line }, "", result.reason));
  return undefined;
}
