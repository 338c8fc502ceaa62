import { type Context, Hono } from "hono";
import {
  type AccessControl,
  authorize,
  authorizeTier,
  type HttpBindings,
  openStream,
  type RequestHead,
  refuseHost,
} from "./access-control.ts";
import type { BodyHold } from "./body-budget.ts";
import { declaredBody, maxBodyBytes, readUndeclaredBody } from "./body-limit.ts";
import type { Caller } from "./caller.ts";
import { checkRouteTable } from "./check-route-table.ts";
import { forbidden, internalError, methodNotAllowed, newErrorId, problem } from "./problem.ts";
import { type Method, methodsOf, pathsOf, type Route, type RouteCall, type Tier } from "./route.ts";

type Env = { Bindings: HttpBindings | undefined };

/** Where causes of internal errors go; pino's shape. */
export interface ErrorLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Turns a refusal of access control, `{detail}`, into the error format of the API at `path`. `a2a`: a path of the protocol. */
export type FormatRefusal = (path: string, refusal: Response, a2a: boolean) => Response | Promise<Response>;

/**
 * Builds the app from the route table. Each row becomes one handler that runs the guard and then the row's own, so a
 * request passes no chain of middlewares; whatever matches no row is guarded by the tier its path belongs to and then
 * answered 404 or 405. `format` is applied to every refusal and error. Throws `RouteTableError` for a table that
 * must not be mounted (S2).
 */
export function mountRoutes(
  table: readonly Route[],
  access: AccessControl,
  log: ErrorLog,
  format: FormatRefusal = (_, refusal) => refusal,
): Hono<Env> {
  checkRouteTable(table);
  const app = new Hono<Env>();
  const rows = new Map<unknown, Route>();

  for (const route of table) {
    const handler = guarded(route, access, format);
    rows.set(handler, route);
    for (const path of pathsOf(route)) app.on([...methodsOf(route)], path, handler);
  }

  app.notFound(async (context) => {
    const head = headOf(context);
    const { path } = context.req;
    const found = rowsAt(app, path, rows);
    const stranger = refuseHost(access, head);
    if (stranger) return format(path, stranger, isA2A(found));
    const preflight = access.origins.preflight(head.method, head.headers);
    if (preflight) return preflight;
    const caller = authorizeTier(access, strictest(found.map(({ route }) => route.tier)) ?? tierOfPath(path), head);
    const refusal =
      caller instanceof Response
        ? caller
        : nothingHere(
            head.method,
            found.map(({ method }) => method),
          );
    return access.origins.withCors(await format(path, refusal, isA2A(found)), head.headers);
  });

  app.onError(async (error, context) => {
    const head = headOf(context);
    // A client that left while its body was being read is no error of the service, and no one reads the response.
    if (head.bindings?.outgoing.destroyed) return new Response(null, { status: 499 });
    const errorId = newErrorId();
    const { path } = context.req;
    log.error({ err: error, error_id: errorId, method: head.method, path }, "request failed");
    const formatted = await format(path, internalError(errorId), isA2A(rowsAt(app, path, rows)));
    return access.origins.withCors(formatted, head.headers);
  });
  return app;
}

function isA2A(found: readonly { readonly route: Route }[]): boolean {
  return found.some(({ route }) => route.a2a === true);
}

function guarded(
  route: Route,
  access: AccessControl,
  format: FormatRefusal,
): (context: Context<Env>) => Response | Promise<Response> {
  return (context) => {
    const head = headOf(context);
    const caller =
      route.streaming === true && head.method === "HEAD"
        ? refuseHead(access, route, head)
        : authorize(access, route, head);
    const response =
      caller instanceof Response
        ? format(context.req.path, caller, route.a2a === true)
        : answerDecided(route, new GuardedCall(caller, context, access, head), format);
    if (head.headers.origin === undefined) return response;
    return response instanceof Promise
      ? response.then((settled) => access.origins.withCors(settled, head.headers))
      : access.origins.withCors(response, head.headers);
  };
}

/** A stream has no head of its own: the router would start one and leave it running without a reader. */
function refuseHead(access: AccessControl, route: Route, head: RequestHead): Response {
  const caller = authorizeTier(access, route.tier, head);
  return caller instanceof Response ? caller : methodNotAllowed("HEAD", methodsOf(route));
}

/** Before the body is read: who may not decide is refused whatever they send. */
function answerDecided(route: Route, call: GuardedCall, format: FormatRefusal): Response | Promise<Response> {
  if (route.decides !== true) return answer(route, call, format);
  return call
    .refuseDecision()
    .then((refused) =>
      refused === undefined ? answer(route, call, format) : format(call.path, forbidden(refused), route.a2a === true),
    );
}

function answer(route: Route, call: GuardedCall, format: FormatRefusal): Response | Promise<Response> {
  const request = call.request;
  if (call.head.method === "GET" || call.head.method === "HEAD") return route.handler(request, call);
  const limit = route.bodyLimit ?? maxBodyBytes;
  const { headers } = call.head;
  const declared = declaredBody(headers, limit) !== "undeclared";
  const length = declared ? Number(headers["content-length"] ?? 0) : 0;
  if (declared && length === 0) return route.handler(request, call);
  const hold = call.holdBody(length);
  if (hold instanceof Response) return format(call.path, hold, route.a2a === true);
  return whileHeld(hold, () => {
    if (declared) return route.handler(request, call);
    return readUndeclaredBody(request, limit, hold.grow).then((read) =>
      read instanceof Response ? format(call.path, read, route.a2a === true) : route.handler(read, call),
    );
  });
}

/** With a response the body was read: what is kept of it belongs to a task, and is counted there. */
function whileHeld(hold: BodyHold, work: () => Response | Promise<Response>): Response | Promise<Response> {
  let response: Response | Promise<Response> | undefined;
  try {
    response = work();
    return response instanceof Promise ? response.finally(hold.release) : response;
  } finally {
    if (!(response instanceof Promise)) hold.release();
  }
}

class GuardedCall implements RouteCall {
  readonly caller: Caller;
  readonly head: RequestHead;
  readonly #context: Context<Env>;
  readonly #access: AccessControl;

  constructor(caller: Caller, context: Context<Env>, access: AccessControl, head: RequestHead) {
    this.caller = caller;
    this.head = head;
    this.#context = context;
    this.#access = access;
  }

  get request(): Request {
    return this.#context.req.raw;
  }

  get path(): string {
    return this.#context.req.path;
  }

  param(name: string): string | undefined {
    return this.#context.req.param(name);
  }

  verifyOrigin(): Response | undefined {
    return this.#access.origins.refuseStreaming(this.head.headers);
  }

  refuseDecision(): Promise<string | undefined> {
    return this.#access.refuseDecision(this.head.bindings?.incoming.socket);
  }

  /** Reserves budget for a body of so many bytes; 0: its size is not declared. */
  holdBody(bytes: number): BodyHold | Response {
    return this.#access.bodies.take(this.caller.class, bytes);
  }

  openStream(): Response | undefined {
    return openStream(this.#access, this.caller, this.head);
  }
}

function headOf(context: Context<Env>): RequestHead {
  const bindings = context.env?.incoming ? context.env : undefined;
  const request = context.req.raw;
  const headers = bindings ? bindings.incoming.headers : Object.fromEntries(request.headers);
  return { method: request.method, headers, bindings };
}

/** The rows that answer `path` under some method. Asks the router itself, so that it agrees with what is mounted. */
function rowsAt(app: Hono<Env>, path: string, rows: ReadonlyMap<unknown, Route>): { method: Method; route: Route }[] {
  const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  return methods.flatMap((method) => {
    const handlers = app.router.match(method, path)[0];
    return handlers.flatMap(([[handler]]) => {
      const route = rows.get(handler);
      return route ? [{ method, route }] : [];
    });
  });
}

function nothingHere(method: string, allowed: readonly Method[]): Response {
  if (allowed.length === 0) return problem(404, "There is nothing at this path.");
  return methodNotAllowed(method, [...new Set(allowed)]);
}

function strictest(tiers: readonly Tier[]): Tier | undefined {
  const order: readonly Tier[] = ["operator", "agent", "public"];
  return order.find((tier) => tiers.includes(tier));
}

/** The tier of paths without a route: an unauthorized caller does not learn which guarded paths exist. */
function tierOfPath(path: string): Tier {
  if (/^\/(?:api|agents)(?:\/|$)/.test(path)) return "operator";
  if (/^\/(?:a2a|v1)(?:\/|$)/.test(path)) return "agent";
  return "public";
}
