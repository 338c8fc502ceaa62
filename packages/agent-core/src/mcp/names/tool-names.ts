import { createHash } from "node:crypto";

/** A tool of a server, by the names that they have themselves. */
export interface ServerTool {
  readonly server: string;
  readonly tool: string;
}

const MAX_CHARS = 64;
const HASH_CHARS = 8;
/** Each round separates what the one before left equal by chance, so the first is nearly always the last. */
const MAX_ROUNDS = 8;
const KEPT = MAX_CHARS - HASH_CHARS - 1;

function hashed(plain: string, of: string): string {
  return `${plain.slice(0, KEPT)}_${createHash("sha256").update(of).digest("hex").slice(0, HASH_CHARS)}`;
}

/**
 * The names that the model is shown (M2), in the order of the tools: `<server>__<tool>` of letters, digits, `_` and `-`,
 * at most 64 characters. One that is longer, and each of several that would come to one name, ends in a hash of its full
 * name. No two are equal, and none depends on the order. Each tool occurs once in the list.
 */
export function toolNames(tools: readonly ServerTool[]): readonly string[] {
  const plain = tools.map(({ server, tool }) => `${server}__${tool}`.replace(/[^a-zA-Z0-9_-]/g, "_"));
  const full = tools.map(({ server, tool }) => `${server}__${tool}`);
  const short = plain.map((name, index) => (name.length > MAX_CHARS ? hashed(name, full[index] ?? "") : name));
  // Two servers can have one full name (`a_` with `b`, `a` with `_b`), and one may have a tool named like a hash.
  let names = separate(short, (index) => hashed(plain[index] ?? "", full[index] ?? ""));
  for (let round = 0; round < MAX_ROUNDS && new Set(names).size < names.length; round++)
    names = separate(names, (index) =>
      hashed(plain[index] ?? "", `${round}\0${tools[index]?.server}\0${tools[index]?.tool}`),
    );
  return names;
}

/** Gives each of several equal names another one. */
function separate(names: readonly string[], otherName: (index: number) => string): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, index) => ((counts.get(name) ?? 0) > 1 ? otherName(index) : name));
}
