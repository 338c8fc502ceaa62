/**
 * What a turn costs as its conversation grows: the built service's processor time and the median time of a send in
 * conversations of 10 to 10,000 messages, beside a send that begins one. `pnpm bench` prints it; alone: `node bench/conversations.ts`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@agent-service/agent-core/host";
import { type Bound, holdBounds } from "./bounds.ts";
import { Connection, post } from "./connection.ts";
import { type Server, startServer } from "./process.ts";
import { BENCH_TOKEN, newHome, serviceCommand, startGateway } from "./targets.ts";

/** Stored messages of a conversation before it is measured. */
const SIZES = [10, 100, 980, 10_000] as const;
/** Conversations of each size, and turns of each that are counted, after some that are not. */
const CONVERSATIONS = 8;
const TURNS = 12;
const WARM_UP = 3;
/** A turn at 1,000 messages costs at most this many times a fresh one. */
const MOST = 3;

/** One point of the curve. `messages` 0: a send that begins a conversation. */
export interface ConversationCost {
  readonly messages: number;
  /** Processor time of the service for a turn, in milliseconds; NaN without `/proc`. */
  readonly cpuMs: number;
  readonly p50Ms: number;
}

const FILL =
  "INSERT INTO message (class, context, task, kind, body, at) SELECT 'operator', ?, value ->> 'task', value ->> 'kind', value ->> 'body', value ->> 'at' FROM json_each(?)";

function nameOf(size: number, conversation: number): string {
  return `bench-${size}-${conversation}`;
}

/** Writes the conversations into a new store: over the API they would take minutes. */
async function fill(file: string): Promise<void> {
  const db = await openDatabase({ url: `file:${file}`, owner: { name: "bench" }, synchronous: "normal" });
  const text = "What came of the invoice that went out on Monday, and who has to sign it?";
  for (const size of SIZES) {
    const rows = Array.from({ length: size }, (_, i) => {
      const body = i % 2 === 0 ? { content: [{ kind: "text", text: `${text} ${i}` }] } : { text: `${text} ${i}` };
      const task = `00000000-0000-7000-8000-${String(i >> 1).padStart(12, "0")}`;
      return { task, kind: i % 2 === 0 ? "user" : "assistant", body: JSON.stringify(body), at: i };
    });
    for (let number = 0; number < CONVERSATIONS; number++) {
      const args = [nameOf(size, number), JSON.stringify(rows)];
      await db.commit({ label: "bench", statements: [{ sql: FILL, args }] });
    }
  }
  await db.close();
}

/** Processor time of all threads of a process so far, in milliseconds; NaN where the kernel does not provide it. */
function processorMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const times = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
    return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

function send(context: string | undefined): string {
  const parts = [{ kind: "text", text: "hello" }];
  const message = { kind: "message", messageId: "bench", role: "user", parts, ...(context && { contextId: context }) };
  return post("/a2a", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } }, BENCH_TOKEN);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** A turn in each conversation of a size. */
async function round(connection: Connection, { pid }: Server, size: number): Promise<{ cpuMs: number; ms: number[] }> {
  const ms: number[] = [];
  const before = processorMs(pid);
  for (let number = 0; number < CONVERSATIONS; number++) {
    const began = performance.now();
    const { body } = await connection.send(send(size === 0 ? undefined : nameOf(size, number)));
    ms.push(performance.now() - began);
    if (!body.includes('"state":"completed"')) throw new Error(`no answer: ${body.slice(0, 300)}`);
  }
  return { cpuMs: (processorMs(pid) - before) / CONVERSATIONS, ms };
}

/** Measures the curve; the sizes take turns, so that a slow minute hits all of them. */
export async function measureConversations(gateway: { readonly port: number }): Promise<readonly ConversationCost[]> {
  const home = newHome();
  mkdirSync(join(home, "config"), { recursive: true });
  const file = join(home, "checkpoints.db");
  writeFileSync(join(home, "config", "agent-config.yaml"), `checkpoint: {db_path: ${file}}\n`);
  await fill(file);
  const service = await startServer(serviceCommand(gateway, home));
  const connection = new Connection(service.port);
  const found = [0, ...SIZES].map((messages) => ({ messages, cpu: [] as number[], ms: [] as number[] }));
  try {
    for (let turn = -WARM_UP; turn < TURNS; turn++) {
      for (const { messages, cpu, ms } of found) {
        const sample = await round(connection, service, messages);
        if (turn < 0) continue;
        cpu.push(sample.cpuMs);
        ms.push(...sample.ms);
      }
    }
  } finally {
    connection.close();
    await service.kill();
    rmSync(home, { recursive: true, force: true });
  }
  return found.map(({ messages, cpu, ms }) => ({ messages, cpuMs: median(cpu), p50Ms: median(ms) }));
}

/** The curve as a table. */
export function conversationReport(costs: readonly ConversationCost[]): string {
  const fresh = costs[0];
  const rows = costs.map(({ messages, cpuMs, p50Ms }) => {
    const name = messages === 0 ? "a new one" : messages.toLocaleString("en-US");
    const times = fresh === undefined ? Number.NaN : cpuMs / fresh.cpuMs;
    return [name, cpuMs.toFixed(2), p50Ms.toFixed(2), times.toFixed(2)].map((cell) => cell.padStart(12)).join("");
  });
  const head = ["messages", "CPU ms", "p50 ms", "× a new one"].map((cell) => cell.padStart(12)).join("");
  return ["a turn in a conversation of", head, ...rows].join("\n");
}

/** What a turn of a long conversation may cost. */
export function conversationBounds(costs: readonly ConversationCost[]): readonly Bound[] {
  const [fresh, long] = [costs[0], costs.find(({ messages }) => messages === 980)];
  const found = fresh === undefined || long === undefined ? undefined : long.cpuMs / fresh.cpuMs;
  return [{ what: "a turn at 1,000 messages, × a fresh one's CPU time", found, most: MOST, isTime: false }];
}

if (import.meta.main) {
  const gateway = await startGateway();
  try {
    const costs = await measureConversations(gateway);
    console.log(conversationReport(costs));
    holdBounds(conversationBounds(costs), 1);
  } finally {
    await gateway.kill();
  }
}
