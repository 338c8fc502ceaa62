/** Skills whose text says which process wrote which version, and that it is whole. */

import type { MemoryReport } from "./memory-writer.ts";

/** What a process reports when it is done. */
export interface CommonsReport {
  readonly writes: number;
  readonly reads: number;
  /** The version that it put there last, by the skill's name. */
  readonly last: { readonly [name: string]: number };
  readonly faults: readonly string[];
  readonly memories: MemoryReport;
}

/** A skill's `SKILL.md`: each of its lines bears the version. */
export function skillText(name: string, writer: number, version: number): string {
  const lines = Array.from({ length: 40 + (version % 60) }, (_, i) => `Line ${i} of ${writer}/${version}.`);
  return `---\nname: ${name}\ndescription: Version ${writer}/${version}.\n---\n${lines.join("\n")}\nEnd of ${writer}/${version}.\n`;
}

/** Who wrote it, and which version it is. */
export function versionOf(text: string): { readonly writer: number; readonly version: number } | undefined {
  const [, writer, version] = /description: Version (\d+)\/(\d+)\./.exec(text) ?? [];
  return writer === undefined ? undefined : { writer: Number(writer), version: Number(version) };
}

/** What is wrong with it; undefined: it is whole, and of one version. */
export function faultOf(name: string, text: string): string | undefined {
  const found = versionOf(text);
  if (found === undefined) return `${name} has no version`;
  return text === skillText(name, found.writer, found.version) ? undefined : `${name} is not whole: ${text.slice(-80)}`;
}
