/** What the service keeps: idle, with idle streams, after many tasks; and how fast it starts. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closedLoop, quantile } from "./closed-loop.ts";
import { Connection } from "./connection.ts";
import { residentMb, type Server, startServer } from "./process.ts";
import { ask, newHome, serviceCommand, serviceTarget, startEcho } from "./targets.ts";

/** Figures of one service. Undefined where the system does not provide them. */
export interface MemoryFigures {
  readonly idleMb: number | undefined;
  readonly kbPerIdleStream: number | undefined;
  readonly streams: number;
  readonly afterTasksMb: number | undefined;
  readonly tasks: number;
  readonly taskErrors: number;
}

/** Medians in milliseconds from the start of the process to the first answer. */
export interface StartFigures {
  readonly serviceMs: number;
  readonly echoMs: number;
  readonly starts: number;
}

/** The least of several looks: what is measured is what stays. */
export async function settled(server: Server, memory = residentMb): Promise<number | undefined> {
  let least: number | undefined;
  for (let look = 0; look < 6; look++) {
    await sleep(200);
    const now = memory(server.pid);
    if (now !== undefined) least = Math.min(now, least ?? now);
  }
  return least;
}

/** Opens a stream on a turn that never ends; resolves with its first frame. */
async function openStream(port: number): Promise<Connection> {
  const connection = new Connection(port);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  connection.send(ask("message/stream", "hold"), () => resolve()).catch(reject);
  await promise;
  return connection;
}

async function idleStreams(server: Server, count: number): Promise<number | undefined> {
  const before = await settled(server);
  const open: Connection[] = [];
  while (open.length < count) {
    const more = Math.min(50, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: more }, () => openStream(server.port)))));
  }
  const after = await settled(server);
  for (const connection of open) connection.close();
  return before === undefined || after === undefined ? undefined : ((after - before) * 1024) / count;
}

/** Measures memory on services of their own, one for streams and one for tasks. */
export async function measureMemory(gateway: Server, streams: number, tasks: number): Promise<MemoryFigures> {
  const one = await startServer(serviceCommand(gateway, newHome()));
  const idleMb = await settled(one);
  const target = await serviceTarget(one);
  await closedLoop(target, "send", 16, { count: 200 });
  const kbPerIdleStream = await idleStreams(one, streams);
  await one.kill();

  const other = await startServer(serviceCommand(gateway, newHome()));
  const { errors } = await closedLoop(await serviceTarget(other), "send", 16, { count: tasks });
  const afterTasksMb = await settled(other);
  await other.kill();
  return { idleMb, kbPerIdleStream, streams, afterTasksMb, tasks, taskErrors: errors };
}

/** Starts both several times, in turns; the service finds its store as it left it. */
export async function measureStarts(gateway: Server, starts: number): Promise<StartFigures> {
  const home = newHome();
  const service: number[] = [];
  const echo: number[] = [];
  for (let start = 0; start <= starts; start++) {
    for (const [times, begin] of [
      [service, () => startServer(serviceCommand(gateway, home))],
      [echo, startEcho],
    ] as const) {
      const server = await begin();
      const began = performance.now();
      const response = await fetch(`http://127.0.0.1:${server.port}/.well-known/agent-card.json`, {
        method: times === echo ? "POST" : "GET",
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the card is ${response.status}`);
      // The first start makes the store.
      if (start > 0) times.push(server.startMs + performance.now() - began);
      await server.kill();
    }
  }
  return { serviceMs: quantile(service, 0.5), echoMs: quantile(echo, 0.5), starts };
}

/** Median milliseconds of a 4 KiB write that is forced to the disk: what a commit hangs on. */
export async function measureDisk(): Promise<number> {
  const file = await open(join(newHome(), "disk"), "w");
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let at = 0; at < 200; at++) {
    const began = performance.now();
    await file.write(page, 0, page.length, at * page.length);
    await file.datasync();
    times.push(performance.now() - began);
  }
  await file.close();
  return quantile(times, 0.5);
}
