import type { AgentCard } from "./agent-card.ts";
import { type V1AgentCard, v1Card } from "./v1-card.ts";

/** Where clients look for a card: the second is the older name, same content (document 1). */
export const CARD_PATHS: readonly string[] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/** Where, under the endpoint's own path, the pure 1.0 card lies (ruling A3). */
export const V1_CARD_PATH = "/.well-known/agent-card.json";

/** How a card may be cached. */
export interface CardResponseOptions {
  /** When the card last changed; milliseconds since 1970. */
  readonly lastModified: number;
  /** Seconds a cache may keep it. Default 60. */
  readonly maxAgeSeconds?: number;
}

/** The card a request asks for at a well-known path: the hybrid one, or with `A2A-Version: 1.0` the pure one. */
export function cardFor(request: Request, card: AgentCard): AgentCard | V1AgentCard {
  const version = request.headers.get("A2A-Version")?.trim() ?? "";
  return /^1\.0(\.\d+)?$/.test(version) ? v1Card(card) : card;
}

/**
 * The HTTP answer to GET or HEAD of a card, with the cache headers of ruling A3, or 304 where the client's copy is
 * current.
 */
export function cardResponse(request: Request, card: AgentCard | V1AgentCard, options: CardResponseOptions): Response {
  const body = JSON.stringify(card);
  const etag = `"${digest(body)}"`;
  const headers = {
    "content-type": "application/json",
    etag,
    "last-modified": new Date(options.lastModified).toUTCString(),
    "cache-control": `public, max-age=${options.maxAgeSeconds ?? 60}`,
    vary: "A2A-Version",
  };
  const known = request.headers.get("if-none-match");
  if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : body, { status: 200, headers });
}

/** An ETag has to change when the card does; nobody gains by forging it, so two plain polynomial sums are enough. */
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
