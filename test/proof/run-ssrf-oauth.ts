/** Begins sign-ins whose documents lead elsewhere, and looks at the sockets (M13, W3). */
import { createEgress } from "../../packages/agent-core/src/host.ts";
import { SignInError, signInOf } from "../../packages/agent-core/src/mcp/index.ts";
import { watchSockets } from "./socket-watch.ts";
import { HOST, type OauthCase, WELL } from "./ssrf-oauth-cases.ts";

/** What came of a run. */
export interface SsrfOauthReport {
  readonly refused: number;
  /** The sign-in went on at the service's own address. */
  readonly stayed: number;
  readonly sockets: number;
  readonly violations: readonly string[];
}

const SERVER = `http://${HOST}/mcp`;

/** Only the page counts: what else was requested is seen at the sockets. */
async function begin(): Promise<string> {
  const target = { transport: "streamable_http", url: SERVER, headers: {} } as const;
  const signIn = signInOf(
    { name: "server", target },
    { secrets: {}, inheritEnv: [], environment: {}, isForbidden: () => true },
    {
      clock: { now: () => 0 },
      grants: { read: () => undefined, save: async () => {} },
      egressFor: (url) => createEgress({ allowedHosts: [new URL(url).hostname] }),
      clientDocument: () => undefined,
    },
  );
  try {
    return (await signIn?.begin("http://127.0.0.1:9/callback"))?.url ?? "nothing";
  } catch (error) {
    return error instanceof SignInError ? "refused" : String(error);
  }
}

/** Runs the cases one after the other, so that every socket belongs to one of them. */
export async function runSsrfOauth(cases: readonly OauthCase[]): Promise<SsrfOauthReport> {
  let now: OauthCase = { kind: "", what: "", pages: {} };
  const watch = await watchSockets((request, response) => {
    const path = request.url ?? "";
    const to = now.redirects?.[path];
    const page = now.pages[path] ?? WELL[path];
    if (to !== undefined) response.writeHead(302, { location: to }).end();
    else if (page === undefined) response.writeHead(404).end();
    else {
      response.writeHead(path === "/register" ? 201 : 200, { "content-type": "application/json" });
      response.end(typeof page === "string" ? page : JSON.stringify(page));
    }
  });
  const violations: string[] = [];
  const sums = { refused: 0, stayed: 0, sockets: 0 };
  try {
    for (now of cases) {
      watch.attempts();
      const before = watch.intrusions();
      const outcome = await begin();
      const attempts = watch.attempts();
      sums.sockets += attempts.length;
      const strays = attempts.filter((host) => host !== HOST);
      const isAtHome = outcome.startsWith(`http://${HOST}/authorize?`);
      const problems = [
        ...(strays.length > 0 ? [`a socket was opened to ${strays.join(", ")}`] : []),
        ...(watch.intrusions() === before ? [] : ["a loopback listener was reached"]),
        ...(outcome === "refused" || (isAtHome && now.mayStay === true)
          ? []
          : [`it ended in ${outcome.slice(0, 200)}`]),
      ];
      if (problems.length === 0) sums[isAtHome ? "stayed" : "refused"]++;
      violations.push(...problems.map((problem) => `${now.kind} ${now.what.slice(0, 100)}: ${problem}`));
    }
  } finally {
    await watch.close();
  }
  return { ...sums, violations };
}
