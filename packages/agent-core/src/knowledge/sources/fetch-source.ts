import { DOCUMENT_LIMITS } from "../../document/index.ts";
import { type Egress, MAX_REDIRECTS } from "../../egress/index.ts";
import { KnowledgeError } from "../knowledge-error.ts";
import type { Handed } from "./source.ts";

const FETCH_MS = 60_000;

/** Fetches a document. @throws EgressError @throws KnowledgeError not_fetched @throws the signal's reason */
export async function fetchSource(url: string, egress: Egress, signal: AbortSignal): Promise<Handed> {
  const answer = await egress.request(url, {
    headers: { accept: "text/html, text/markdown;q=0.9, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5" },
    ...{ timeoutMs: FETCH_MS, maxRedirects: MAX_REDIRECTS, maxBodyBytes: DOCUMENT_LIMITS.bytes, signal },
  });
  if (answer.status < 200 || answer.status > 299)
    throw new KnowledgeError("not_fetched", `the address answered with status ${answer.status}`);
  const asked = new URL(url);
  asked.hash = "";
  const name = decoded(asked.pathname.split("/").at(-1) ?? "");
  return { bytes: answer.body, uri: asked.href, name, mediaType: answer.headers["content-type"] ?? "" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
