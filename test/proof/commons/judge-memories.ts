import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryFaultOf, memoryVersionOf } from "./memory-text.ts";
import type { MemoryReport } from "./memory-writer.ts";

/** Each memory stands as a process wrote it last, in its file and with every process; what was forgotten is nowhere. */
export function judgeMemories(folder: string, reports: readonly MemoryReport[]): readonly string[] {
  const files = readdirSync(folder);
  const texts = files.map((file) => {
    const { content } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { readonly content: string };
    return content;
  });
  const violations = texts.flatMap((text) => memoryFaultOf(text) ?? []);
  violations.push(...files.filter((file) => file.startsWith(".")).map((file) => `${file} was left behind`));
  const byName = new Map(texts.map((text) => [memoryVersionOf(text)?.name ?? "", text]));
  for (const name of new Set(reports.flatMap(({ last }) => Object.keys(last)))) {
    const found = memoryVersionOf(byName.get(name) ?? "");
    if (found === undefined) violations.push(`${name} was lost`);
    else if (reports[found.writer]?.last[name] !== found.version)
      violations.push(`${name} is of ${found.writer}/${found.version}, which was not the last of its writer`);
  }
  for (const name of reports.flatMap(({ forgotten }) => forgotten))
    if (byName.has(name)) violations.push(`${name} was forgotten and is there`);
  const there = texts.toSorted().join("\n");
  reports.forEach(({ found }, writer) => {
    if (found.toSorted().join("\n") !== there) violations.push(`process ${writer} finds other memories than there are`);
  });
  return violations;
}
