import { opendir } from "node:fs/promises";
import type { Folder } from "./folder.ts";

const LOOKED_AT = 1_000;
const NAMED = 3;

/** The steps from one text to the other, each a character more, less or another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Names in a folder that are similar to `name`, the nearest first, without those of `hidden`. */
export async function similarNames(folder: Folder, name: string, hidden?: ReadonlySet<string>): Promise<string[]> {
  const wanted = name.toLowerCase();
  if (wanted.length > 100) return [];
  const near: { readonly name: string; readonly steps: number }[] = [];
  let looked = 0;
  for await (const entry of await opendir(folder.at("."))) {
    if (++looked > LOOKED_AT) break;
    const other = entry.name.toLowerCase();
    if (hidden?.has(entry.name) === true || Math.abs(other.length - wanted.length) > 3) continue;
    const steps = distance(wanted, other);
    if (steps <= Math.max(1, Math.min(3, wanted.length / 3))) near.push({ name: entry.name, steps });
  }
  return near
    .sort((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
    .slice(0, NAMED)
    .map((found) => found.name);
}
