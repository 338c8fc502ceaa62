import { dollars } from "../../ui/index.ts";
import type { HarvestChoice, Memory } from "./memory-types.ts";

const TRUSTS: { readonly [T in Memory["trust"]]: string } = {
  operator: "your words",
  agent: "written by the agent",
  outside: "from outside",
};

/** What else to know of a memory, in one line; when it was said stands beside it. */
export function memoryFacts({
  domain,
  memory_kind: kind,
  delivery_policy: policy,
  trust,
  source,
  tier,
  commons,
}: Memory): string {
  return [
    domain,
    kind !== "note" && kind,
    policy === "always" && "in every conversation",
    policy === "on_demand" && "only where it is asked for",
    tier === "commons"
      ? "of the commons of this machine"
      : (commons === "same" && "shared on this machine") || (commons === "other" && "another text of it is shared"),
    source === null ? TRUSTS[trust] : `from ${source}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What stands above a memory: what it is about; of a part of a document its place there, as the document is named below. */
export function memoryTitle({ subject, heading, source }: Pick<Memory, "subject" | "heading" | "source">): string {
  if (source === null || subject !== "") return subject || heading;
  if (heading === source) return "";
  return heading.startsWith(`${source} › `) ? heading.slice(source.length + 3) : heading;
}

/** Why a memory waits for a person, in a sentence. */
export function waitingWords(reason: string, contradicts: number | null): string {
  if (contradicts !== null) return `It contradicts memory ${contradicts}, which you wrote.`;
  const said = reason.replace("what the operator wrote", "what you wrote");
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** What is offered for conversations that rest, with the price of one. */
export function offerWords({ model, cost_usd: cost }: HarvestChoice): string {
  const price =
    cost === null ? "what one costs is not known" : `one costs up to about ${dollars(cost)}, a short one much less`;
  return `${model} would read each new one once, after it rested, for a summary and facts that later conversations find: ${price}. Until then you extract memories from a conversation by its menu. The settings of Knowledge change it any time.`;
}

/** A part of a text, and whether a search has its word. */
export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/** A text in pieces, so that words that begin as words of a search can be marked. Joined they are the text. */
export function pieces(text: string, search: string): readonly Piece[] {
  const words = [...new Set(search.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])].sort(
    (a, b) => b.length - a.length,
  );
  if (words.length === 0) return [{ text, isFound: false }];
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})[\\p{L}\\p{N}]*`, "giu");
  const parts: Piece[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(found)) {
    if (index > from) parts.push({ text: text.slice(from, index), isFound: false });
    parts.push({ text: word, isFound: true });
    from = index + word.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isFound: false });
  return parts;
}
