import type { Caller } from "./caller.ts";

/**
 * Who may use a route (S2, A16; B25 and B27).
 * `public`: everyone, with or without a credential. `agent`: operator and federation. `operator`: the operator only, a
 * federation caller gets 403. On an open instance everyone is the operator.
 */
export type Tier = "public" | "agent" | "operator";

/** The methods a route may have. HEAD is answered wherever GET is, except on streaming routes. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler receives besides the request. The guard ran already: the caller is authorized. */
export interface RouteCall {
  /** On public routes `anonymous` where no valid credential was sent. */
  readonly caller: Caller;
  /** The value of `:name` in the route's path, decoded. */
  param(name: string): string | undefined;
  /**
   * For routes whose body decides whether they stream (JSON-RPC): the 403 when `A2A_ALLOWED_ORIGINS` does not allow
   * the request's Origin (S4), else undefined. Call it before anything is accepted. Routes declared `streaming`
   * need not call it.
   */
  verifyOrigin(): Response | undefined;
  /** Why this connection may not decide for the operator, where it depends on the body; undefined: it may (F15). */
  refuseDecision(): Promise<string | undefined>;
  /** `verifyOrigin`, then one of the bounded streams, held until the connection closes (S7). */
  openStream(): Response | undefined;
}

/** Answers a request. What it throws becomes a 500 with an error id; the cause goes to the log only. */
export type RouteHandler = (request: Request, call: RouteCall) => Response | Promise<Response>;

/** One row of the route table: everything access control needs to know about a path. */
export interface Route {
  readonly method: Method | readonly Method[];
  /** Hono path pattern or several: `/a2a`, `/api/chat/:id`, `/app/*`. */
  readonly path: string | readonly string[];
  readonly tier: Tier;
  /** One line for people: what the route is for. */
  readonly summary: string;
  /** Always answers with a stream: one of the bounded streams is taken before the handler runs and, unless public, the Origin verified. */
  readonly streaming?: boolean;
  /**
   * A path of the A2A protocol: its JSON content type without CORS keeps browsers' cross-site requests out, so the
   * cross-site guard does not apply (S4). The handler must answer other content types with 415 (A4).
   */
  readonly a2a?: boolean;
  /**
   * Whatever is sent to it decides for the operator: approves, remembers, or changes what protects the machine. Without a
   * credential it is 403 for other users of the machine (F15).
   */
  readonly decides?: boolean;
  /** Largest body in bytes; default 10 MiB (A4). */
  readonly bodyLimit?: number;
  readonly handler: RouteHandler;
}

/** The methods of a row, always as a list. */
export function methodsOf(route: Route): readonly Method[] {
  return typeof route.method === "string" ? [route.method] : route.method;
}

/** The paths of a row, always as a list. */
export function pathsOf(route: Route): readonly string[] {
  return typeof route.path === "string" ? [route.path] : route.path;
}
