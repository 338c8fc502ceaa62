import { bytes } from "../../ui/index.ts";
import type { Source } from "./memory-types.ts";

/** What a document's row says of it, below its title. */
export function sourceFacts(
  source: Pick<Source, "state" | "source_type" | "domain" | "bytes" | "total" | "done">,
): string {
  const { state, source_type: type, domain, bytes: size, total, done } = source;
  const facts: { readonly [State in Source["state"]]: string } = {
    queued: "waits to be read",
    reading: total === 0 ? "is being read" : `${done} of ${total} memories stored`,
    ready: total === 1 ? "1 memory" : `${total} memories`,
    failed: "not read",
    removed: "removed; can be restored for a day",
  };
  return [facts[state], domain, type, bytes(size)].filter((fact) => fact !== "").join(" · ");
}

/** What a document is called. */
export function sourceLabel({ id, title, name, source }: Pick<Source, "id" | "title" | "name" | "source">): string {
  return title || name || source || `Document ${id}`;
}
