/**
 * The authentication matrix (S2): every route × method × credential × instance × Host × Origin is asked over a
 * real socket, and the answer compared with B23 to B29 and S1 to S4, computed here from the table's
 * declarations alone, without the code under test.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withErrorObject } from "../surfaces/openai/index.ts";
import { PipelinedClient } from "../testing/pipelined-client.ts";
import {
  everywhere,
  fromAStrangeHost,
  fromAStrangePage,
  fromHome,
  type Requester,
  requestersFrom,
  type Sources,
} from "../testing/requesters.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { type Credentials, createAccessControl, listen, methodsOf, mountRoutes, pathsOf, type Route } from "./index.ts";

/** Instead of a row's own answer: who the guard let in. */
const whoIsThere = (route: Omit<Route, "handler">): Route => ({
  ...route,
  handler: (_, { caller }) => new Response(caller.class),
});

/** Kinds of rows that no feature has yet, so that the guard is known to hold them too. */
const kindsToCome: readonly Route[] = [
  { method: "GET", path: "/api/tail", tier: "operator", streaming: true, summary: "Log tail" } as const,
  { method: ["GET", "POST", "DELETE"], path: "/api/kinds/:key", tier: "operator", summary: "Kinds" } as const,
].map(whoIsThere);

let running: TestService;
let table: readonly Route[];
beforeAll(async () => {
  running = await startTestService();
  table = [...running.service.routes, ...kindsToCome].map(whoIsThere);
});
afterAll(() => running.stop());

it("is asked about every path the service answers", () => {
  const paths = running.service.routes.flatMap(pathsOf);
  expect(paths).toEqual(
    expect.arrayContaining([
      "/a2a",
      "/a2a/",
      "/healthz",
      "/metrics",
      "/.well-known/agent-card.json",
      "/.well-known/agent.json",
    ]),
  );
  const open = running.service.routes.filter(({ tier }) => tier === "public").flatMap(pathsOf);
  // B27: what is never guarded, and nothing else.
  for (const path of open) {
    expect(path).toMatch(
      /^\/(healthz|metrics|(a2a\/)?\.well-known\/agent(-card)?\.json|\.well-known\/mcp-client\.json|app.*|api\/events|share\/(:link|page\.css)|)$/,
    );
  }
});

/** Paths no row has, with the tier a stranger must be held to there. */
const unknownPaths = [
  ["/api/nothing", "operator"],
  ["/agents/peer/a2a", "operator"],
  ["/a2a/nothing", "agent"],
  ["/v1/nothing", "agent"],
  ["/nothing", "public"],
] as const;

interface Instance {
  readonly name: string;
  readonly credentials: Credentials;
  readonly allowedOrigins?: string;
}
const instances: readonly Instance[] = [
  { name: "open", credentials: {} },
  { name: "open, origins listed", credentials: { bearer: " " }, allowedOrigins: "https://listed.example" },
  { name: "bearer", credentials: { bearer: "tok" }, allowedOrigins: "https://listed.example" },
  { name: "API key", credentials: { apiKey: "key" }, allowedOrigins: "*" },
  {
    name: "all",
    credentials: { bearer: "tok", apiKey: "key", federation: "fed" },
    allowedOrigins: "https://listed.example",
  },
];
/** Connections at once. */
const CONNECTIONS = 4;

interface Case {
  readonly instance: Instance;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  readonly host: string;
  readonly origin: string;
}

/** What must come back, by the documents. `row` is what the table declares for this method and path, if anything. */
function expected(found: Case, row: Route | undefined, tier: Route["tier"], pathIsKnown: boolean): string {
  const { bearer, apiKey, federation } = found.instance.credentials;
  const gated = Boolean(bearer?.trim() || apiKey);
  // B28: on every path, and only while open.
  if (!gated && found.host === "evil.example") return "403";
  const held = { bearer, key: apiKey, federation }[found.credential];
  let caller = "anonymous";
  if (!gated || (held && (found.credential === "bearer" || found.credential === "key"))) caller = "operator";
  else if (held) caller = "federation";
  // Authentication 1 to 3 and 6.
  if (tier !== "public" && caller === "anonymous") return "401";
  if (tier === "operator" && caller === "federation") return "403";
  if (row === undefined) return pathIsKnown ? "405" : "404";
  // S4. Our own page is one of the very host the request went to; a gated instance answers to any.
  const listed = found.instance.allowedOrigins === "https://listed.example" && found.origin === "listed";
  const pageHost = { own: "trusted.example", foreign: "evil.example" }[found.origin];
  const ours = listed || pageHost === found.host;
  if (!row.a2a && found.method !== "GET" && found.method !== "HEAD" && found.origin !== "none" && !ours) return "403";
  // Authentication 6 and 8: a stream that everyone may read is guarded by no origin.
  if (row.streaming && tier !== "public" && found.instance.allowedOrigins === "https://listed.example" && !ours)
    return "403";
  return found.method === "HEAD" ? "200 " : `200 ${caller}`;
}

/** The body of a refusal; clients of /v1 that do not speak A2A read an error object (V1). */
function refusalAt(path: string, isA2A: boolean): object {
  const message = expect.any(String);
  const error = { message, type: expect.any(String), param: null, code: null };
  return { detail: message, ...(path.startsWith("/v1/") && !isA2A ? { error } : {}) };
}

/** HEAD goes where GET goes, except that a stream has none. */
function answers(route: Route, method: string): boolean {
  const methods: readonly string[] = methodsOf(route);
  return methods.includes(method) || (method === "HEAD" && methods.includes("GET") && !route.streaming);
}

/** A row with a literal twin for the name in its path: `/things/:id` answers a method that `/things/all` has not. */
function rowByName(path: string, method: string): Route | undefined {
  if (/[:*]/.test(path)) return undefined;
  const fits = (own: string): boolean =>
    /^[\w/:.-]+$/.test(own) && new RegExp(`^${own.replaceAll(/:\w+/g, "[^/:]+")}$`).test(path);
  return table.find((other) => answers(other, method) && pathsOf(other).some(fits));
}

/** A row of a feature that is not built: dozens that differ in their path alone. */
function isUnbuilt({ summary }: Route): boolean {
  return summary.startsWith("Not in this build");
}

/**
 * The usual methods and whatever is answered at a path. For further rows of a kind what is answered, HEAD, and one in
 * turn that is not; of what is not built what is answered alone.
 */
function methodsAskedAt(path: string): readonly string[] {
  const rows = table.filter((row) => pathsOf(row).includes(path));
  const own = rows.flatMap(methodsOf);
  if (rows.every(isUnbuilt)) return own;
  if (rows.some(isFirstOfItsKind)) return [...new Set(["GET", "HEAD", "POST", "DELETE", "OPTIONS", ...own])];
  const others = ["OPTIONS", "GET", "POST", "DELETE"].filter((method) => !rows.some((row) => answers(row, method)));
  const other = others[table.indexOf(rows[0] as Route) % others.length];
  return [...new Set([...own, "HEAD", ...(other === undefined ? [] : [other])])];
}

function kindsOfMethods(row: Route): readonly boolean[] {
  const methods = methodsOf(row);
  return [methods.includes("GET"), methods.some((method) => method !== "GET")];
}

/** Whether no row before it is equal for the guard, which distinguishes methods that read from those that change. */
function isFirstOfItsKind(route: Route): boolean {
  const kindOf = (row: Route): string =>
    JSON.stringify([row.tier, row.streaming === true, row.a2a === true, kindsOfMethods(row)]);
  return table.find((row) => !isUnbuilt(row) && kindOf(row) === kindOf(route)) === route;
}

/** The sources from which a path is requested. Rows of a kind take turns with the two strange ones. */
function sourcesOf(route: Route, path: string, { index, method }: { index: number; method: string }) {
  if (isUnbuilt(route) || path.endsWith("/")) return fromHome;
  if (index === 0 && isFirstOfItsKind(route)) return everywhere;
  // What no row of the path names is held by its tier alone.
  const isNamed = table.some((row) => pathsOf(row).includes(path) && (methodsOf(row) as string[]).includes(method));
  if (!isNamed) return fromHome;
  return table.indexOf(route) % 2 === 0 ? fromAStrangeHost : fromAStrangePage;
}

/** What is asked, from each of its sources. */
interface Target extends Sources {
  readonly method: string;
  readonly path: string;
  readonly row: Route | undefined;
  readonly tier: Route["tier"];
  readonly isA2A: boolean;
  readonly known: boolean;
}

function allTargets(): readonly Target[] {
  return [
    ...table.flatMap((route, at) =>
      pathsOf(route).flatMap((path, index) =>
        methodsAskedAt(path).flatMap((method) => {
          // Rows of one path share its methods; the first of them asks for all.
          const beside = table.filter((other) => pathsOf(other).includes(path));
          if (beside[0] !== undefined && table.indexOf(beside[0]) < at) return [];
          const row = beside.find((other) => answers(other, method)) ?? rowByName(path, method);
          return {
            // Further paths of a row share its one handler, and further rows of a kind what they declare; every
            // credential is asked of each, but from fewer sources. A path with a slash at its end, which is a twin of the
            // one before it, is asked least.
            ...sourcesOf(route, path, { index, method }),
            method,
            path: path.replaceAll(/\/:\w+(\{\.\+\})?/g, "/t-1").replace("*", "x/y.js"),
            row,
            tier: route.tier,
            isA2A: route.a2a === true,
            known: true,
          };
        }),
      ),
    ),
    ...unknownPaths.flatMap(([path, tier]) =>
      ["GET", "POST"].map((method) => ({
        ...everywhere,
        method,
        path,
        row: undefined,
        tier,
        isA2A: false,
        known: false,
      })),
    ),
  ];
}

describe.each(instances)("access control of an instance with $name", (instance) => {
  it("answer every route, method, credential, Host and Origin as specified", async () => {
    const log = { error: (fields: unknown) => expect.fail(JSON.stringify(fields)) };
    const access = createAccessControl({
      credentials: () => instance.credentials,
      publicUrl: "https://public.example/base",
      trustedHosts: ["trusted.example"],
      allowedOrigins: instance.allowedOrigins,
    });
    const app = mountRoutes(table, access, log, withErrorObject);
    const listener = await listen({
      fetch: (request, bindings) => app.fetch(request, bindings),
      host: "127.0.0.1",
      port: 0,
      log,
    });
    const clients = Array.from({ length: CONNECTIONS }, () => new PipelinedClient(listener.port));
    const targets = allTargets();
    const wrong: string[] = [];
    const refusals = new Set<string>();
    let asked = 0;
    const judge = async (
      { method, path, row, tier, isA2A, known }: Target,
      from: Requester,
      client: PipelinedClient,
    ) => {
      const { credential, host, origin, headers } = from;
      const answer = await client.ask({ method, path, headers });
      const got = answer.status === 200 ? `200 ${answer.text}` : String(answer.status);
      const want = expected({ instance, method, path, credential, host, origin }, row, tier, known);
      if (got !== want) wrong.push(`${method} ${path} ${credential} ${host} ${origin}: ${got}, not ${want}`);
      // The same text at the same kind of path is checked once.
      const kind = `${isA2A} ${path.startsWith("/v1/")} ${answer.text}`;
      if (answer.status !== 200 && method !== "HEAD" && !refusals.has(kind)) {
        refusals.add(kind);
        expect(JSON.parse(answer.text)).toEqual(refusalAt(path, isA2A));
      }
      const challenge = answer.headers["www-authenticate"];
      if (answer.status === 401 && challenge !== "Bearer")
        wrong.push(`${method} ${path} ${credential}: ${challenge} as the challenge`);
      asked += 1;
    };
    await Promise.all(
      clients.map(async (client, number) => {
        for (const target of targets.filter((_, index) => index % CONNECTIONS === number))
          await Promise.all(requestersFrom(target).map((from) => judge(target, from, client)));
      }),
    );
    for (const client of clients) client[Symbol.dispose]();
    await listener.close({ graceMs: 0 });
    expect(wrong).toEqual([]);
    expect(asked).toBe(targets.reduce((sum, target) => sum + requestersFrom(target).length, 0));
  });
});
