import type { Receipt } from "./memory-types.ts";

const SCOPES: { readonly [Scope in Receipt["scope"]]: string } = {
  chunks: "Memories",
  source: "A document",
  session: "A conversation",
  subject: "A subject",
  expired: "What the agent removed a day before",
};

/** What a receipt is about. */
export function receiptTitle({ scope }: Pick<Receipt, "scope">): string {
  return SCOPES[scope];
}

/** How much was forgotten, in words; what there was none of is left out. */
export function receiptFacts({ counts }: Pick<Receipt, "counts">): string {
  const facts = [
    amount(counts.chunks, "memory", "memories"),
    amount(counts.frames, "place where it was shown", "places where they were shown"),
    amount(counts.summaries, "summary", "summaries"),
    amount(counts.sources, "document", "documents"),
    amount(counts.attachments, "attachment", "attachments"),
  ].filter((fact) => fact !== "");
  return facts.join(" · ");
}

function amount(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}
