import type { IncomingHttpHeaders } from "node:http";
import { forbidden } from "./problem.ts";

/** `A2A_ALLOWED_ORIGINS`, read (B29). */
export interface AllowedOrigins {
  /** `unset`: streaming accepts every origin, with a warning at start. `off` (`*`): the same without one. `on`: verify. */
  readonly verification: "unset" | "off" | "on";
  /** The origins named, lower case. They get CORS and count as ours; `*` names none. */
  readonly listed: ReadonlySet<string>;
}

/** Reads the comma-separated list. Blank is unset; `*` switches verification off, whatever else is listed. */
export function parseAllowedOrigins(value: string | undefined): AllowedOrigins {
  const entries = (value ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase().replace(/\/+$/, ""))
    .filter((entry) => entry !== "");
  const listed = new Set(entries.filter((entry) => entry !== "*"));
  if (entries.length === 0) return { verification: "unset", listed };
  return { verification: entries.includes("*") ? "off" : "on", listed };
}

/** The browser side of access control (S4). All decisions are made from headers alone. */
export interface OriginPolicy {
  /** The 403 for a streaming request whose Origin is missing or not listed while verification is on; else undefined. */
  refuseStreaming(headers: IncomingHttpHeaders): Response | undefined;
  /** The 403 for a browser's cross-site request that changes state outside A2A; else undefined. */
  refuseCrossSite(method: string, headers: IncomingHttpHeaders): Response | undefined;
  /** The answer to a CORS preflight of a listed origin; undefined: not a preflight, or not listed. */
  preflight(method: string, headers: IncomingHttpHeaders): Response | undefined;
  /** The response with CORS headers, when a listed origin asked. */
  withCors(response: Response, headers: IncomingHttpHeaders): Response;
}

const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const allowedHeaders = [
  "authorization",
  "content-type",
  "x-api-key",
  "a2a-version",
  "a2a-extensions",
  "x-a2a-extensions",
  "idempotency-key",
  "last-event-id",
  "x-session-id",
  "if-match",
  "if-none-match",
].join(", ");
const exposedHeaders =
  "a2a-version, a2a-extensions, etag, last-modified, retry-after, www-authenticate, x-agent-ignored, x-session-id";

/**
 * Builds the policy. Our own origin is always listed: the one a page of this server has (its Origin names the Host the
 * request went to) and the one of `publicUrl`.
 */
export function createOriginPolicy(options: {
  readonly allowed: AllowedOrigins;
  readonly publicUrl?: string | undefined;
}): OriginPolicy {
  const listed = new Set(options.allowed.listed);
  if (options.publicUrl !== undefined && URL.canParse(options.publicUrl)) listed.add(new URL(options.publicUrl).origin);
  const verify = options.allowed.verification === "on";

  const isOurs = (origin: string, headers: IncomingHttpHeaders): boolean =>
    listed.has(origin.toLowerCase()) || namesHost(origin, headers.host);

  return {
    refuseStreaming(headers) {
      if (!verify) return undefined;
      const { origin } = headers;
      if (origin !== undefined && isOurs(origin, headers)) return undefined;
      // A page's GET of its own origin has no Origin header; this header has the page's site.
      if (headers["sec-fetch-site"] === "same-origin") return undefined;
      return forbidden(
        origin === undefined
          ? "This streaming path answers only requests with a listed Origin, and this one has none."
          : "The request's Origin is not among those allowed on this streaming path.",
      );
    },
    refuseCrossSite(method, headers) {
      if (method === "GET" || method === "HEAD" || method === "OPTIONS") return undefined;
      const { origin } = headers;
      const site = headers["sec-fetch-site"];
      if (origin === undefined && site === undefined) return undefined;
      if (origin !== undefined && isOurs(origin, headers)) return undefined;
      // Sec-Fetch-Site cannot be forged by a page; where the browser reports same-origin, a proxy changed the Host.
      if (site === "same-origin") return undefined;
      if (origin === undefined && site !== "cross-site") return undefined;
      return forbidden("A page of another site may not change anything here.");
    },
    preflight(method, headers) {
      const { origin } = headers;
      if (method !== "OPTIONS" || origin === undefined || !listed.has(origin.toLowerCase())) return undefined;
      if (headers["access-control-request-method"] === undefined) return undefined;
      return new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": allowedMethods,
          "access-control-allow-headers": allowedHeaders,
          "access-control-max-age": "600",
          ...(headers["access-control-request-private-network"] === "true"
            ? { "access-control-allow-private-network": "true" }
            : {}),
          vary: "origin",
        },
      });
    },
    withCors(response, headers) {
      const { origin } = headers;
      if (origin === undefined || !listed.has(origin.toLowerCase())) return response;
      const headersOut = new Headers(response.headers);
      headersOut.set("access-control-allow-origin", origin);
      headersOut.set("access-control-expose-headers", exposedHeaders);
      headersOut.append("vary", "origin");
      return new Response(response.body, { status: response.status, headers: headersOut });
    },
  };
}

/** True when `origin` is an http(s) origin on exactly the host and port of `host`: a page this server itself served. */
function namesHost(origin: string, host: string | undefined): boolean {
  if (host === undefined) return false;
  const separator = origin.indexOf("://");
  const scheme = origin.slice(0, separator).toLowerCase();
  if (scheme !== "http" && scheme !== "https") return false;
  return origin.slice(separator + 3).toLowerCase() === host.trim().toLowerCase();
}
