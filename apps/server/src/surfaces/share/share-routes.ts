import { featureKey, type Shares } from "@agent-service/agent-core/host";
import type { Route } from "../../access/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { RequestRate } from "./request-rate.ts";
import { NO_SHARE_PAGE, sharePage } from "./share-page.ts";
import { sharesState } from "./share-state.ts";
import { SHARE_STYLE } from "./share-style.ts";

const key = featureKey<"shares", Shares>("shares");

/** The headers of everything under `/share` (O9): nothing runs, nothing is loaded but the style, nothing is kept or told. */
export const shareSecurityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; style-src 'self'; img-src data:; sandbox",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
};

/**
 * `GET /share/<link>`, for whoever has the link, and its style sheet (O9). An unknown link, one that expired or was
 * revoked, one of another form and any while sharing is off are answered alike, after the same look into the store.
 */
export function shareRoutes({ core, clock, settings, opened, logging }: RunningHost): readonly Route[] {
  const shares = opened(key);
  const rate = new RequestRate();
  const page: Route = {
    method: "GET",
    path: "/share/:link",
    tier: "public",
    summary: "A read-only copy of a conversation or a run, for whoever has its link",
    async handler(_, call) {
      if (!rate.take(clock.now())) return answer(429, "Too many requests.\n", { "retry-after": "1", ...TEXT });
      try {
        const found = await shares.page(call.param("link") ?? "");
        if (found === undefined || sharesState(settings) !== "on") return answer(404, NO_SHARE_PAGE, HTML);
        return answer(200, sharePage(found, settings.identity.name), HTML);
      } catch (error) {
        // Not left to the route table: its line in the log names the path, which holds the link.
        logging.logger.warn({ err: error, store: core.db.state }, "a shared page could not be read");
        return answer(503, "The service cannot read this now.\n", { "retry-after": "5", ...TEXT });
      }
    },
  };
  const style: Route = {
    method: "GET",
    path: "/share/page.css",
    tier: "public",
    summary: "The style sheet of shared pages",
    handler: () => answer(200, SHARE_STYLE, { "content-type": "text/css; charset=utf-8" }),
  };
  return [style, page];
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const TEXT = { "content-type": "text/plain; charset=utf-8" };

function answer(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers: { ...shareSecurityHeaders, ...headers } });
}
