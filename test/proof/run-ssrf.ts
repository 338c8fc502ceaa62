/** Sends cases through the egress guard and looks at the sockets. */
import { createEgress, EgressError, type ResolveHost } from "../../packages/agent-core/src/host.ts";
import { type SocketWatch, watchSockets } from "./socket-watch.ts";
import type { SsrfCase } from "./ssrf-cases.ts";

/** What came of a run. */
export interface SsrfReport {
  readonly refused: number;
  readonly arrived: number;
  /** Sockets that were opened, all of them to addresses the case allows unless a violation says otherwise. */
  readonly sockets: number;
  readonly violations: readonly string[];
}

/** A name server that may change its mind: one answer per question, the last one for ever. */
function nameDouble(names: SsrfCase["names"] = {}): ResolveHost {
  const asked = new Map<string, number>();
  return async (host) => {
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    const answers = names[host];
    const answer = answers?.[Math.min(turn, answers.length - 1)];
    if (answer === undefined) throw new Error(`${host} is not known`);
    return answer;
  };
}

/** What is wrong with the outcome, if anything. */
function judge(one: SsrfCase, outcome: unknown): string | undefined {
  if (one.refused === undefined) return outcome === 200 ? undefined : `should arrive, but: ${String(outcome)}`;
  if (!(outcome instanceof EgressError)) return `should be refused, but: ${String(outcome)}`;
  if (!one.refused.includes(outcome.code)) return `refused as ${outcome.code}, not as ${one.refused.join(" or ")}`;
  const told = Object.values(one.names ?? {})
    .flat(2)
    .find((address) => outcome.message.includes(address));
  // "::" and its like are in every text that has two colons; a name's answer counts only when it is an address in full.
  return told === undefined || told.length < 6 ? undefined : `the message tells ${told}: ${outcome.message}`;
}

async function runOne(one: SsrfCase, watch: SocketWatch): Promise<{ problems: string[]; sockets: number }> {
  const { allowedHosts = [], allowedCidrs = [], names } = one;
  const egress = createEgress({ allowedHosts, allowedCidrs, resolve: nameDouble(names) });
  watch.attempts();
  const before = watch.intrusions();
  const outcome: unknown = await egress.request(one.url, { maxRedirects: 5 }).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  const attempts = watch.attempts();
  const strays = attempts.filter((host) => !one.reachable.includes(host));
  const problems = [judge(one, outcome)].filter((problem) => problem !== undefined);
  if (strays.length > 0) problems.push(`a socket was opened to ${strays.join(", ")}`);
  if (watch.intrusions() !== before) problems.push("a loopback listener was reached");
  return { problems, sockets: attempts.length };
}

/** Runs the cases one after the other, so that every socket belongs to one of them. */
export async function runSsrf(cases: readonly SsrfCase[]): Promise<SsrfReport> {
  const watch = await watchSockets((request, response) => {
    const [, to] = /^\/to\/(.*)$/.exec(request.url ?? "") ?? [];
    if (to === undefined) response.end("public");
    else
      response.writeHead(302, { location: decodeURIComponent(to).replace(/[^\x20-\x7e]/g, encodeURIComponent) }).end();
  });
  const violations: string[] = [];
  const sums = { refused: 0, arrived: 0, sockets: 0 };
  try {
    for (const one of cases) {
      const { problems, sockets } = await runOne(one, watch);
      sums.sockets += sockets;
      if (problems.length === 0) sums[one.refused === undefined ? "arrived" : "refused"]++;
      violations.push(...problems.map((problem) => `${one.kind} ${JSON.stringify(one.url.slice(0, 300))}: ${problem}`));
    }
  } finally {
    await watch.close();
  }
  return { ...sums, violations };
}
