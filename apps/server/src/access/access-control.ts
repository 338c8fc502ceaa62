import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Authenticator } from "./authenticate.ts";
import type { BodyBudget } from "./body-budget.ts";
import { bodyTooLarge, declaredBody, encodedBody, isEncoded, maxBodyBytes } from "./body-limit.ts";
import { type Caller, callers } from "./caller.ts";
import type { RefuseDecision } from "./decision-guard.ts";
import type { HostCheck } from "./host-check.ts";
import type { OriginPolicy } from "./origin-policy.ts";
import { forbidden, unauthenticated } from "./problem.ts";
import type { Route, Tier } from "./route.ts";
import type { StreamLimit } from "./stream-limit.ts";

/** The parts of access control. Each is called per request, so that changed settings apply at once. */
export interface AccessControl {
  readonly authenticator: Authenticator;
  readonly hostCheck: HostCheck;
  readonly origins: OriginPolicy;
  readonly streams: StreamLimit;
  readonly bodies: BodyBudget;
  /** Asked by routes that decide for the operator, and by no other (F15). */
  readonly refuseDecision: RefuseDecision;
}

/** The Node side of a request, as the HTTP adapter passes it; absent when the app is called without a socket. */
export interface HttpBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What access control reads of a request. */
export interface RequestHead {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly bindings: HttpBindings | undefined;
}

export type CallerOrRefusal = Caller | Response;

/**
 * The guard of a route, in one synchronous function, because every request runs it: Host on an open instance (every
 * path), credential by tier, a browser's cross-site request, and for streaming routes Origin and a free stream, then the
 * declared size of the body. Order matters: a refused caller learns nothing of what is mounted.
 */
export function authorize(access: AccessControl, route: Route, head: RequestHead): CallerOrRefusal {
  const caller = authorizeTier(access, route.tier, head);
  if (caller instanceof Response) return caller;
  if (route.a2a !== true) {
    const crossSite = access.origins.refuseCrossSite(head.method, head.headers);
    if (crossSite) return crossSite;
  }
  if (head.method !== "GET") {
    const limit = route.bodyLimit ?? maxBodyBytes;
    if (declaredBody(head.headers, limit) === "too-large") return bodyTooLarge(limit);
    if (isEncoded(head.headers)) return encodedBody();
  }
  if (route.streaming === true) {
    // Of a public route only the number of streams is limited (B27).
    const refusal = route.tier === "public" ? countStream(access, caller, head) : openStream(access, caller, head);
    if (refusal) return refusal;
  }
  return caller;
}

/** Origin verification, then one of the bounded streams; the refusal, or undefined (S4, S7). */
export function openStream(access: AccessControl, caller: Caller, head: RequestHead): Response | undefined {
  return access.origins.refuseStreaming(head.headers) ?? countStream(access, caller, head);
}

function countStream(access: AccessControl, caller: Caller, head: RequestHead): Response | undefined {
  return access.streams.add(caller.class, head.bindings?.outgoing);
}

/** The parts of a request that the Host check and the Origin rules read. */
type Address = Pick<RequestHead, "headers"> & { readonly bindings: Pick<HttpBindings, "incoming"> | undefined };

/** The Host check alone: the 403 of an open instance for an unknown name, else undefined. */
export function refuseHost(access: AccessControl, head: Address): Response | undefined {
  if (!access.authenticator.open()) return undefined;
  if (access.hostCheck(addressedHost(head), head.bindings?.incoming.socket.localAddress)) return undefined;
  return forbidden("This server does not answer to that Host name; SVC_TRUSTED_HOSTS lists further ones.");
}

/**
 * True for a WebSocket upgrade that ends with close 1008 (B28; S4): a Host that is not
 * recognised, a page of another site, an Origin that streaming does not authorize. Browsers open WebSockets across sites
 * without asking, so the cross-site rule holds here on every path and although the method is GET. The route checks the
 * credential: without one the answer is 401, as for any request.
 */
export function refusesUpgrade(access: AccessControl, incoming: IncomingMessage): boolean {
  const { headers } = incoming;
  const refusal =
    refuseHost(access, { headers, bindings: { incoming } }) ??
    access.origins.refuseCrossSite("POST", headers) ??
    access.origins.refuseStreaming(headers);
  return refusal !== undefined;
}

/** Host check and credential, for a path of this tier. */
export function authorizeTier(access: AccessControl, tier: Tier, head: RequestHead): CallerOrRefusal {
  const host = refuseHost(access, head);
  if (host) return host;
  const found = access.authenticator.classify(head.headers);
  if (tier === "public" || found === "operator") return callers[found];
  if (found === "anonymous") return unauthenticated(access.authenticator.accepted());
  return tier === "agent" ? callers.federation : forbidden("This path needs the operator's credential.");
}

/** The name a request is addressed to: of an absolute request target its authority, which wins over the Host header. */
function addressedHost(head: Address): string | undefined {
  const target = head.bindings?.incoming.url;
  if (target === undefined || target.charCodeAt(0) === 0x2f || !/^https?:/i.test(target)) return head.headers.host;
  return URL.canParse(target) ? new URL(target).host : undefined;
}
