/** A service that runs slots for another one: it runs a key once, and its answers get lost. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger } from "../ledger.ts";
import { createRandom } from "../random.ts";

/** What it made of a key. */
export interface RunThere {
  readonly body: string;
  readonly state: "completed" | "failed";
  /** How often it was asked. */
  asked: number;
}

export interface OtherService {
  readonly url: string;
  /** By the keys they were asked for under. */
  readonly runs: ReadonlyMap<string, RunThere>;
  close(): Promise<void>;
}

export async function startOtherService(seed: string, ledger: Ledger): Promise<OtherService> {
  const runs = new Map<string, RunThere>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => void answer(String(request.headers["idempotency-key"]), body));
    async function answer(key: string, asked: string): Promise<void> {
      const known = runs.get(key);
      const random = createRandom(`${seed}/${key}/${known?.asked ?? 0}`);
      // Refused before anything is begun.
      if (random.chance(0.15)) return void response.writeHead(503).end("{}");
      const run = known ?? { body: asked, state: random.chance(0.2) ? "failed" : "completed", asked: 0 };
      runs.set(key, run);
      run.asked += 1;
      if (run.body !== asked) ledger.blame(`G2: ${key} was sent as ${run.body}, and then as ${asked}`);
      await sleep(random.int(0, 80));
      if (random.chance(0.2)) return void response.destroy();
      const result = { kind: "task", id: `there ${key}`, status: { state: run.state } };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: key, result }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    runs,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
