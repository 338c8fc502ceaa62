/** Runs one case against the services. */
import type { Random } from "../random.ts";
import type { FuzzLedger } from "./fuzz-ledger.ts";
import type { FuzzProcess } from "./fuzz-process.ts";
import { type FuzzRequest, transmissionOf } from "./fuzz-request.ts";
import type { InstanceName } from "./grammar.ts";
import { HttpConnection } from "./http-connection.ts";
import { judge, type Verdict } from "./judge.ts";
import type { Scenario } from "./scenario.ts";
import { CHAT_SCENARIOS } from "./scenarios-chat.ts";
import { HTTP_SCENARIOS } from "./scenarios-http.ts";
import { HUGE_SCENARIOS } from "./scenarios-huge.ts";
import { SEQUENCE_SCENARIOS } from "./scenarios-sequence.ts";
import { SINGLE_SCENARIOS } from "./scenarios-single.ts";

/** The services by name. */
export type Instances = { readonly [name in InstanceName]: FuzzProcess };

/** Called with every request and its answer, to show a single case. */
export type OnAnswer = (instance: InstanceName, request: FuzzRequest, verdict: Verdict) => void;

/** Cases that share conversations. */
const CASES_PER_CONTEXTS = 50;

const SCENARIOS = [...SINGLE_SCENARIOS, ...SEQUENCE_SCENARIOS, ...HTTP_SCENARIOS, ...CHAT_SCENARIOS, ...HUGE_SCENARIOS];
const ALL_SHARES = SCENARIOS.reduce((sum, [share]) => sum + share, 0);

function drawScenario(random: Random): Scenario {
  let left = random.next() * ALL_SHARES;
  for (const [share, scenario] of SCENARIOS) {
    left -= share;
    if (left < 0) return scenario;
  }
  return SINGLE_SCENARIOS[0]![1];
}

/** Connections that are open and idle, by instance; a case may need several at once. */
export class Connections {
  readonly #idle: { readonly [name in InstanceName]: HttpConnection[] } = { open: [], gated: [] };
  readonly #instances: Instances;

  constructor(instances: Instances) {
    this.#instances = instances;
  }

  async use<T>(name: InstanceName, work: (connection: HttpConnection) => Promise<T>): Promise<T> {
    const connection = this.#idle[name].pop() ?? new HttpConnection(this.#instances[name].port);
    try {
      return await work(connection);
    } finally {
      this.#idle[name].push(connection);
    }
  }

  close(): void {
    for (const connection of [...this.#idle.open, ...this.#idle.gated]) connection.close();
  }
}

/** What cases of a run share. */
export interface CaseContext {
  readonly seed: Random;
  readonly instances: Instances;
  readonly connections: Connections;
  readonly ledger: FuzzLedger;
  readonly onAnswer?: OnAnswer | undefined;
}

/** Runs case number `index` of a seed. */
export async function runCase({ seed, instances, connections, ledger, onAnswer }: CaseContext, index: number) {
  const random = seed.fork(index);
  const scenario = drawScenario(random);
  const group = Math.floor(index / CASES_PER_CONTEXTS);
  let step = 0;
  await scenario({
    random,
    contexts: [`c-${group}-a`, `c-${group}-b`, `c-${group}-c`],
    blame: (text) => ledger.blame({ case: index, step }, text),
    async send(name, request) {
      const position = { case: index, step: step++ };
      const { leaveAfter } = request;
      const enough = leaveAfter === undefined ? undefined : (body: Buffer) => eventsIn(body) < leaveAfter;
      const reception = await connections.use(name, (connection) =>
        connection.exchange(transmissionOf(request, enough)),
      );
      const verdict = judge(request, reception);
      ledger.answered(position, name, instances[name].port, request, verdict);
      onAnswer?.(name, request, verdict);
      return verdict;
    },
  });
}

/** Events that are whole. */
function eventsIn(body: Buffer): number {
  let found = 0;
  for (let at = body.indexOf("\n\n"); at >= 0; at = body.indexOf("\n\n", at + 2)) found++;
  return found;
}
