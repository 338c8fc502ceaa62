/** An endpoint for embeddings that fails in every way while models change, and searches beside it (K19, K25, KM7). */
import type { ServerResponse } from "node:http";
import { systemClock } from "../../../packages/agent-core/src/clock/index.ts";
import { openDatabase } from "../../../packages/agent-core/src/database/index.ts";
import { Embeddings } from "../../../packages/agent-core/src/knowledge/embedding/index.ts";
import { KnowledgeSearch } from "../../../packages/agent-core/src/knowledge/knowledge-search.ts";
import { KnowledgeStore } from "../../../packages/agent-core/src/knowledge/knowledge-store.ts";
import { embeddingDouble, embeddingOf } from "../../../packages/agent-core/src/testing/embedding-double.ts";
import { createRandom } from "../random.ts";

export interface EmbeddingsOutcome {
  readonly searches: number;
  /** Of them, those that were answered by words alone. */
  readonly byWords: number;
  readonly changes: number;
  readonly faults: { readonly [kind: string]: number };
  /** The longest that a search took, in milliseconds. */
  readonly slowestMs: number;
  readonly violations: readonly string[];
}

const BUDGET_MS = 250;
/** Beside the budget: reading the store, and what the machine does meanwhile. */
const SLACK_MS = 750;
const BREAKER_MS = 300_000;

const one = (embedding: unknown) => ({ index: 0, embedding });
const answer = (data: unknown) => (_: readonly string[], response: ServerResponse) =>
  response.end(JSON.stringify({ data }));
const FAULTS: { readonly [kind: string]: (texts: readonly string[], response: ServerResponse) => unknown } = {
  stalls: () => {},
  "answers 429": (_, response) => response.writeHead(429, { "retry-after": "1" }).end(),
  "answers 500": (_, response) => response.writeHead(500).end(),
  "breaks off": (_, response) => response.destroy(),
  "wrong count": (texts, response) => answer([...texts, ""].map((text) => one(embeddingOf(text))))(texts, response),
  "wrong sizes": (texts, response) =>
    answer(texts.map((text, i) => ({ index: i, embedding: embeddingOf(text).slice(0, 200 + (i % 2)) })))(
      texts,
      response,
    ),
  zeros: (texts, response) => answer(texts.map((_, index) => ({ index, embedding: [0, 0, 0] })))(texts, response),
  NaN: (_, response) => response.end('{"data":[{"index":0,"embedding":[NaN,1]}]}'),
  "no numbers": (texts, response) =>
    answer(texts.map((_, index) => ({ index, embedding: [null, "1"] })))(texts, response),
};

const textOf = (no: number): string => `Note ${no} about purchase q${no}x of a car.`;

/** Has a fifth of the requests fail from each call on, in one of the ways; `faults` counts them. */
function faultsOf(
  double: Pick<Awaited<ReturnType<typeof embeddingDouble>>, "fault">,
  random: ReturnType<typeof createRandom>,
  faults: { [kind: string]: number },
): () => void {
  return () => {
    const kind = random.chance(0.2) ? random.pick(Object.keys(FAULTS)) : undefined;
    const fault = kind === undefined ? undefined : FAULTS[kind];
    double.fault =
      kind === undefined || fault === undefined
        ? undefined
        : (texts, response) => {
            faults[kind] = (faults[kind] ?? 0) + 1;
            return fault(texts, response);
          };
  };
}

/** Embeds so many memories while the model changes so often; every request fails with a share of a fifth. */
export async function runEmbeddings(seed: string, memories: number, changes: number): Promise<EmbeddingsOutcome> {
  const random = createRandom(seed);
  const violations: string[] = [];
  const faults: { [kind: string]: number } = {};
  await using double = await embeddingDouble();
  // The second model turns everything round: compared with it, what the first one made would be farther than anything.
  double.embed = (text) => {
    const turn = double.models.at(-1) === "b" ? -1 : 1;
    return embeddingOf(text).map((number) => turn * number);
  };
  const [db, system] = [
    await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "proof" } }),
    systemClock(),
  ];
  let passed = 0;
  const clock = { ...system, now: () => system.now() + passed };
  const insert = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${memories})
    INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, policy, trust, review, review_reason, session, task, created_at, confirmed_at)
    SELECT 'general', 'note', '', '', '', 'Note ' || i || ' about purchase q' || i || 'x of a car.', 'retrieved', 2, 'accepted', '', '', '', 0, 0 FROM n`;
  await db.commit({ label: "proof", statements: [{ sql: insert, args: [] }] });
  let model = "a";
  const embeddings = new Embeddings({
    ...{ store: { get: async () => db }, exists: () => true, clock, log: { warn: () => {} } },
    server: () => ({ baseUrl: double.baseUrl, apiKey: "", model, name: `gateway:${model}` }),
  });
  const lazy = { get: async () => db, close: async () => {} };
  const store = new KnowledgeStore({ store: lazy, clock, bus: { publish: () => {} }, redact: (text) => text });
  const search = new KnowledgeSearch({ store, embeddings, clock, timeoutMs: () => BUDGET_MS });
  const drawFault = faultsOf(double, random, faults);
  let [searches, byWords, slowestMs, changed] = [0, 0, 0, 0];
  const look = async (): Promise<void> => {
    const no = random.int(1, memories);
    const began = performance.now();
    const { chunks, mode, isIndexing } = await search.search(textOf(no), {}, 5);
    const ms = performance.now() - began;
    slowestMs = Math.max(slowestMs, ms);
    searches++;
    if (mode === "keyword") byWords++;
    if (ms > BUDGET_MS + SLACK_MS) {
      // What the same search takes where no endpoint is asked is the store's, and the machine's.
      const from = performance.now();
      await search.search(textOf(no), {}, 5, "keyword");
      const plain = performance.now() - from;
      if (ms > BUDGET_MS + SLACK_MS + 3 * plain)
        violations.push(`a search took ${Math.round(ms)} ms, and ${Math.round(plain)} by words alone`);
    }
    // While some have no vector yet, those that have one come before them.
    const isWhole = mode === "keyword" || !isIndexing;
    if (isWhole && chunks[0]?.id !== no) violations.push(`${textOf(no)} found ${chunks[0]?.id} first, ${mode}`);
  };
  const compare = async (): Promise<void> => {
    for (const { cosine, id } of (await embeddings.search(textOf(random.int(1, memories)), 40))?.found ?? [])
      if (cosine < -0.2) violations.push(`${id} was compared with a vector of another model: ${cosine}`);
  };
  for (let step = 0; changed < changes || (await embeddings.waiting()) > 0; step++) {
    // What the breaker waits for, and requests that stall, would take most of the time.
    if (embeddings.state === "degraded") passed += BREAKER_MS;
    if (changed >= changes) double.fault = undefined;
    else drawFault();
    embeddings.tick();
    await look();
    if (double.fault === undefined) await compare();
    if (changed < changes && step % 25 === 24) {
      model = model === "a" ? "b" : "a";
      changed++;
    }
  }
  const rows = await db.read({ sql: "SELECT model, count(*) FROM vector GROUP BY model", args: [] });
  if (rows.length !== 1 || Number(rows[0]?.[1]) !== memories)
    violations.push(`vectors at the end: ${JSON.stringify(rows)}`);
  await embeddings.close();
  await db.close();
  return { searches, byWords, changes: changed, faults, slowestMs, violations };
}
