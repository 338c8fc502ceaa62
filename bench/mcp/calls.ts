/** What a call of an MCP tool costs above its commits, beside the SDK's own client called directly. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { quantile } from "../closed-loop.ts";
import { Connection, post } from "../connection.ts";
import type { Server } from "../process.ts";
import { BENCH_TOKEN } from "../targets.ts";
import { ECHO_SERVER, echoEntry, homeWith, startIn, untilReady } from "./service.ts";

const WARM_UP = 300;
const CALLS = 1_500;
const TEXT = "what is sent comes back";

/** Medians in milliseconds. */
export interface CallFigures {
  /** A direct call of a tool of the service's own, of the same class: the request, and the commits. */
  readonly ownMs: number;
  /** A direct call of the echo server's. */
  readonly mcpMs: number;
  /** The SDK's client over its own transport, without the service. */
  readonly sdkMs: number;
}

async function openSdk(): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [ECHO_SERVER] }));
  return client;
}

/** Makes all three calls in turns, so that what else the machine does is in each of them. */
export async function measureCalls(gateway: Server): Promise<CallFigures> {
  const server = await startIn(gateway, homeWith([echoEntry("echo")]));
  const client = await openSdk();
  const connection = new Connection(server.port);
  const callOf = (tool: string, args: object) => post(`/api/tools/${tool}/call`, { args }, BENCH_TOKEN);
  const send = async (request: string, whole: string): Promise<void> => {
    const { status, body } = await connection.send(request);
    if (status !== 200 || !body.includes(whole)) throw new Error(`${status}: ${body.slice(0, 300)}`);
  };
  const [own, mcp] = [callOf("calculator", { expression: "6*7" }), callOf("echo__echo", { text: TEXT })];
  const calls = {
    ownMs: () => send(own, '"result":"42"'),
    mcpMs: () => send(mcp, TEXT),
    sdkMs: async () => {
      const { content } = await client.callTool({ name: "echo", arguments: { text: TEXT } });
      if (!JSON.stringify(content).includes(TEXT)) throw new Error("the echo is not whole");
    },
  };
  const times = { ownMs: [] as number[], mcpMs: [] as number[], sdkMs: [] as number[] };
  try {
    await untilReady(server, 1);
    const names = ["ownMs", "mcpMs", "sdkMs"] as const;
    for (let number = 0; number < WARM_UP + CALLS; number++) {
      for (const name of names) {
        const began = performance.now();
        await calls[name]();
        if (number >= WARM_UP) times[name].push(performance.now() - began);
      }
    }
  } finally {
    connection.close();
    await client.close();
    await server.stop();
  }
  const [ownMs, mcpMs, sdkMs] = [times.ownMs, times.mcpMs, times.sdkMs].map((list) => quantile(list, 0.5));
  return { ownMs: ownMs!, mcpMs: mcpMs!, sdkMs: sdkMs! };
}
