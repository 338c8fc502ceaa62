import type { AgentCard } from "./agent-card.ts";
import { type V1AgentCard, v1Card } from "./v1-card.ts";

/** Where clients look for a card: the second is the older name, same content. */
export const CARD_PATHS: readonly string[] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/** Where, under the endpoint's own path, the pure 1.0 card lies (A3). */
export const V1_CARD_PATH = "/.well-known/agent-card.json";

/** How a card may be cached. */
export interface CardResponseOptions {
  /** When the card last changed; milliseconds since 1970. Absent: not known. */
  readonly lastModified?: number;
  /** Seconds a cache may keep it. Default 60. */
  readonly maxAgeSeconds?: number;
  /** true: shown to authenticated callers, so that only their own caches may keep it. */
  readonly isPrivate?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The card a request asks for at a well-known path: the hybrid one, or with `A2A-Version: 1.0` the pure one. */
export function cardFor(request: Request, card: AgentCard): AgentCard | V1AgentCard {
  const version = request.headers.get("A2A-Version")?.trim() ?? "";
  return /^1\.0(\.\d+)?$/.test(version) ? v1Card(card) : card;
}

/**
 * The HTTP answer to GET or HEAD of a card, with the cache headers of A3, or 304 where the client's copy is
 * current.
 */
export function cardResponse(request: Request, card: AgentCard | V1AgentCard, options: CardResponseOptions): Response {
  return cardTextResponse(request, JSON.stringify(card), options);
}

/** The same for a card that is JSON text already. */
export function cardTextResponse(request: Request, body: string, options: CardResponseOptions): Response {
  const { lastModified, maxAgeSeconds = 60, isPrivate = false } = options;
  const etag = `"${digest(body)}"`;
  const headers = {
    ...options.headers,
    "content-type": "application/json",
    etag,
    ...(lastModified !== undefined && { "last-modified": new Date(lastModified).toUTCString() }),
    "cache-control": `${isPrivate ? "private" : "public"}, max-age=${maxAgeSeconds}`,
    vary: isPrivate ? "A2A-Version, Authorization, X-API-Key" : "A2A-Version",
  };
  if (isCurrent(request, etag, lastModified)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { status: 200, headers });
}

/** Whether the client's copy is the card: by its tag where it names one, else by its date (RFC 9110, 13.2.2). */
function isCurrent(request: Request, etag: string, lastModified: number | undefined): boolean {
  const tags = request.headers.get("if-none-match");
  if (tags !== null) return tags.split(",").some((tag) => [etag, "*"].includes(tag.trim().replace(/^W\//, "")));
  const since = request.headers.get("if-modified-since");
  // Dates of HTTP have whole seconds.
  return since !== null && lastModified !== undefined && Date.parse(since) >= Math.floor(lastModified / 1000) * 1000;
}

/** An ETag has to change when the card does; forging it gains nothing, so two plain polynomial sums are enough. */
function digest(text: string): string {
  let a = 0;
  let b = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = (Math.imul(a, 31) + c) | 0;
    b = (Math.imul(b, 131) + c) | 0;
  }
  return `${text.length.toString(36)}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`;
}
