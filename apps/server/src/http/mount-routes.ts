import { type Context, Hono } from "hono";
import type { BodyHold } from "./body-budget.ts";
import { declaredBody, maxBodyBytes, readUndeclaredBody } from "./body-limit.ts";
import type { Caller } from "./caller.ts";
import { checkRouteTable } from "./check-route-table.ts";
import { admit, admitStream, admitToTier, type Doors, type HttpBindings, type Knock, refuseHost } from "./doors.ts";
import { internalError, methodNotAllowed, newErrorId, problem } from "./problem.ts";
import { type Method, methodsOf, pathsOf, type Route, type RouteCall, type Tier } from "./route.ts";

type Env = { Bindings: HttpBindings | undefined };

/** Where causes of internal errors go; pino's shape. */
export interface ErrorLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Puts a refusal of the doors, `{detail}`, into the words of whoever calls `path`. `a2a`: a path of the protocol. */
export type WordRefusal = (path: string, refusal: Response, a2a: boolean) => Response | Promise<Response>;

/**
 * Builds the app from the route table. Each row becomes one handler that runs the guard and then the row's own, so a
 * request passes no chain of middlewares; whatever matches no row is guarded by the tier its path belongs to and then
 * answered 404 or 405. `word` is asked about every refusal, and about errors. Throws `RouteTableError` for a table that
 * must not be mounted (ruling S2).
 */
export function mountRoutes(
  table: readonly Route[],
  doors: Doors,
  log: ErrorLog,
  word: WordRefusal = (_, refusal) => refusal,
): Hono<Env> {
  checkRouteTable(table);
  const app = new Hono<Env>();
  const rows = new Map<unknown, Route>();

  for (const route of table) {
    const handler = guarded(route, doors, word);
    rows.set(handler, route);
    for (const path of pathsOf(route)) app.on([...methodsOf(route)], path, handler);
  }

  app.notFound(async (context) => {
    const knock = knockOf(context);
    const { path } = context.req;
    const found = rowsAt(app, path, rows);
    const stranger = refuseHost(doors, knock);
    if (stranger) return word(path, stranger, isA2A(found));
    const preflight = doors.origins.preflight(knock.method, knock.headers);
    if (preflight) return preflight;
    const admission = admitToTier(doors, strictest(found.map(({ route }) => route.tier)) ?? tierOfPath(path), knock);
    const refusal =
      admission instanceof Response
        ? admission
        : nothingHere(
            knock.method,
            found.map(({ method }) => method),
          );
    return doors.origins.withCors(await word(path, refusal, isA2A(found)), knock.headers);
  });

  app.onError(async (error, context) => {
    const knock = knockOf(context);
    // A client that left while its body was being read is not our error, and nobody reads the answer.
    if (knock.bindings?.outgoing.destroyed) return new Response(null, { status: 499 });
    const errorId = newErrorId();
    const { path } = context.req;
    log.error({ err: error, error_id: errorId, method: knock.method, path }, "request failed");
    const worded = await word(path, internalError(errorId), isA2A(rowsAt(app, path, rows)));
    return doors.origins.withCors(worded, knock.headers);
  });
  return app;
}

function isA2A(found: readonly { readonly route: Route }[]): boolean {
  return found.some(({ route }) => route.a2a === true);
}

function guarded(
  route: Route,
  doors: Doors,
  word: WordRefusal,
): (context: Context<Env>) => Response | Promise<Response> {
  return (context) => {
    const knock = knockOf(context);
    const admission =
      route.streaming === true && knock.method === "HEAD"
        ? refuseHead(doors, route, knock)
        : admit(doors, route, knock);
    const response =
      admission instanceof Response
        ? word(context.req.path, admission, route.a2a === true)
        : answer(route, new GuardedCall(admission, context, doors, knock), word);
    if (knock.headers.origin === undefined) return response;
    return response instanceof Promise
      ? response.then((settled) => doors.origins.withCors(settled, knock.headers))
      : doors.origins.withCors(response, knock.headers);
  };
}

/** A stream has no head of its own: the router would start one and leave it running without a reader. */
function refuseHead(doors: Doors, route: Route, knock: Knock): Response {
  const admission = admitToTier(doors, route.tier, knock);
  return admission instanceof Response ? admission : methodNotAllowed("HEAD", methodsOf(route));
}

function answer(route: Route, call: GuardedCall, word: WordRefusal): Response | Promise<Response> {
  const request = call.request;
  if (call.knock.method === "GET" || call.knock.method === "HEAD") return route.handler(request, call);
  const limit = route.bodyLimit ?? maxBodyBytes;
  const { headers } = call.knock;
  const declared = declaredBody(headers, limit) !== "undeclared";
  const length = declared ? Number(headers["content-length"] ?? 0) : 0;
  if (declared && length === 0) return route.handler(request, call);
  const hold = call.holdBody(length);
  if (hold instanceof Response) return word(call.path, hold, route.a2a === true);
  return whileHeld(hold, () => {
    if (declared) return route.handler(request, call);
    return readUndeclaredBody(request, limit, hold.grow).then((read) =>
      read instanceof Response ? word(call.path, read, route.a2a === true) : route.handler(read, call),
    );
  });
}

/** When there is an answer the body was read: what is kept of it is a task's, and counted there. */
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
  readonly knock: Knock;
  readonly #context: Context<Env>;
  readonly #doors: Doors;

  constructor(caller: Caller, context: Context<Env>, doors: Doors, knock: Knock) {
    this.caller = caller;
    this.knock = knock;
    this.#context = context;
    this.#doors = doors;
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
    return this.#doors.origins.refuseStreaming(this.knock.headers);
  }

  /** Room for a body of so many bytes; 0: its size is not declared. */
  holdBody(bytes: number): BodyHold | Response {
    return this.#doors.bodies.take(this.caller.class, bytes);
  }

  admitStream(): Response | undefined {
    return admitStream(this.#doors, this.caller, this.knock);
  }
}

function knockOf(context: Context<Env>): Knock {
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

/** The tier of paths nothing is mounted at: a stranger does not learn which of the guarded paths exist. */
function tierOfPath(path: string): Tier {
  if (/^\/(?:api|agents)(?:\/|$)/.test(path)) return "operator";
  if (/^\/(?:a2a|v1)(?:\/|$)/.test(path)) return "agent";
  return "public";
}
