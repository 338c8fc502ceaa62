import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Authenticator } from "./authenticate.ts";
import type { BodyBudget } from "./body-budget.ts";
import { bodyTooLarge, declaredBody, encodedBody, isEncoded, maxBodyBytes } from "./body-limit.ts";
import { type Caller, callers } from "./caller.ts";
import type { HostCheck } from "./host-check.ts";
import type { OriginPolicy } from "./origin-policy.ts";
import { forbidden, unauthenticated } from "./problem.ts";
import type { Route, Tier } from "./route.ts";
import type { StreamLimit } from "./stream-limit.ts";

/** What stands between a socket and a route. Everything is asked per request, so what is behind it may change. */
export interface Doors {
  readonly authenticator: Authenticator;
  readonly hostCheck: HostCheck;
  readonly origins: OriginPolicy;
  readonly streams: StreamLimit;
  readonly bodies: BodyBudget;
}

/** The Node side of a request, as the HTTP adapter hands it over; absent when the app is called without a socket. */
export interface HttpBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What the doors look at. */
export interface Knock {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly bindings: HttpBindings | undefined;
}

/** The caller, or the response that turns it away. */
export type Admission = Caller | Response;

/**
 * The guard of a route, in one synchronous function, because every request pays for it: Host on an open instance (every
 * path), credential by tier, a browser's cross-site request, and for streaming routes Origin and a free place, then the
 * declared size of the body. Order matters: who may not be here learns nothing of what is here.
 */
export function admit(doors: Doors, route: Route, knock: Knock): Admission {
  const caller = admitToTier(doors, route.tier, knock);
  if (caller instanceof Response) return caller;
  if (route.a2a !== true) {
    const crossSite = doors.origins.refuseCrossSite(knock.method, knock.headers);
    if (crossSite) return crossSite;
  }
  if (knock.method !== "GET") {
    const limit = route.bodyLimit ?? maxBodyBytes;
    if (declaredBody(knock.headers, limit) === "too-large") return bodyTooLarge(limit);
    if (isEncoded(knock.headers)) return encodedBody();
  }
  if (route.streaming === true) {
    // What is public is guarded by nothing but its places (document 1, Authentication 6).
    const refusal = route.tier === "public" ? takePlace(doors, caller, knock) : admitStream(doors, caller, knock);
    if (refusal) return refusal;
  }
  return caller;
}

/** Origin verification, then one of the bounded places; the refusal, or undefined (rulings S4, S7). */
export function admitStream(doors: Doors, caller: Caller, knock: Knock): Response | undefined {
  return doors.origins.refuseStreaming(knock.headers) ?? takePlace(doors, caller, knock);
}

function takePlace(doors: Doors, caller: Caller, knock: Knock): Response | undefined {
  return doors.streams.admit(caller.class, knock.bindings?.outgoing);
}

/** What the Host check and the Origin rules look at. */
type Address = Pick<Knock, "headers"> & { readonly bindings: Pick<HttpBindings, "incoming"> | undefined };

/** The Host check alone: the 403 of an open instance for a name it does not know, else undefined. */
export function refuseHost(doors: Doors, knock: Address): Response | undefined {
  if (!doors.authenticator.open()) return undefined;
  if (doors.hostCheck(addressedHost(knock), knock.bindings?.incoming.socket.localAddress)) return undefined;
  return forbidden("This server does not answer to that Host name; SVC_TRUSTED_HOSTS lists further ones.");
}

/**
 * True for a WebSocket upgrade that ends with close 1008 (document 1, Authentication 7; ruling S4): a Host that is not
 * recognised, a page of another site, an Origin that streaming does not admit. Browsers open WebSockets across sites
 * without asking, so the cross-site rule holds here on every path and although the method is GET. Credentials are the
 * route's matter: without one the answer is 401, as for any request.
 */
export function refusesUpgrade(doors: Doors, incoming: IncomingMessage): boolean {
  const { headers } = incoming;
  const refusal =
    refuseHost(doors, { headers, bindings: { incoming } }) ??
    doors.origins.refuseCrossSite("POST", headers) ??
    doors.origins.refuseStreaming(headers);
  return refusal !== undefined;
}

/** Host check and credential, for a path of this tier. */
export function admitToTier(doors: Doors, tier: Tier, knock: Knock): Admission {
  const host = refuseHost(doors, knock);
  if (host) return host;
  const found = doors.authenticator.classify(knock.headers);
  if (tier === "public" || found === "operator") return callers[found];
  if (found === "anonymous") return unauthenticated(doors.authenticator.accepted());
  return tier === "agent" ? callers.federation : forbidden("This path needs the operator's credential.");
}

/** The name a request is addressed to: of an absolute request target its authority, which wins over the Host header. */
function addressedHost(knock: Address): string | undefined {
  const target = knock.bindings?.incoming.url;
  if (target === undefined || target.charCodeAt(0) === 0x2f || !/^https?:/i.test(target)) return knock.headers.host;
  return URL.canParse(target) ? new URL(target).host : undefined;
}
