/** Readers that come when a task is long already, and read nothing of it (A20; engine invariant EN10). */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { temporaryFolders } from "../../../apps/server/src/testing/index.ts";
import { startServiceProcess } from "../../../apps/server/src/testing/service-process.ts";
import { startHealthyReader } from "./healthy-reader.ts";
import type { LateReadersOrder } from "./late-readers.ts";
import { atRest, collectingEnvironment, heldMemory, memory, memoryBelow, watchMemory } from "./service-memory.ts";
import { startTalkingModel } from "./talking-model.ts";

/** What to run. */
export interface LateReadersOptions {
  /** Late readers, for every request of a Task in turn. */
  readonly readers: number;
  /** Characters of the task when they come. */
  readonly chars: number;
  /** Bytes above idle to which the memory has to come back after they disconnected. */
  readonly backWithin: number;
  /** Whether a fifth of them come to another such task before, so that V8's generations have their size. Default: true. */
  readonly warm?: boolean;
  /** Whether garbage is collected and what is held then is measured, which changes the resident memory. Default: false. */
  readonly collect?: boolean;
}

/** What came of it. Bytes of resident memory, all of the service. */
export interface LateReadersFigures {
  /** Beside such a task and one reader, when a fifth of them had been there before (if `warm`); at most; the least after they disconnected. */
  readonly idle: number;
  readonly peak: number;
  readonly after: number;
  /** Bytes that all of the readers hold together, without garbage; only where asked for. */
  readonly held?: number;
}

const READERS = fileURLToPath(new URL("late-readers.ts", import.meta.url));
/** How long memory may take to come back: V8 looks for garbage when it has nothing else to do. */
const BACK_MS = 30_000;

/** Every way to ask for a long Task. `seq`: a cursor of the task's. */
function requestsFor(port: number, taskId: string, seq: number): string[] {
  const params = { id: taskId };
  const rpc = (method: string, version: string, head: readonly string[] = []) =>
    post("/a2a", [`A2A-Version: ${version}`, ...head], { jsonrpc: "2.0", id: seq, method, params });
  function post(path: string, head: readonly string[], body: object): string {
    const text = JSON.stringify(body);
    const lines = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Content-Type: application/json", ...head];
    return `${lines.join("\r\n")}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  }
  const cursor = `Last-Event-ID: ${seq}`;
  return [
    rpc("tasks/resubscribe", "0.3"),
    rpc("tasks/resubscribe", "0.3", [cursor]),
    rpc("SubscribeToTask", "1.0"),
    rpc("SubscribeToTask", "1.0", [cursor]),
    post(`/v1/tasks/${taskId}:subscribe`, [], {}),
    post(`/a2a/tasks/${taskId}:subscribe`, ["A2A-Version: 1.0", cursor], {}),
    rpc("tasks/get", "0.3"),
    rpc("GetTask", "1.0"),
  ];
}

async function send(child: ChildProcess, order: LateReadersOrder): Promise<void> {
  const done = once(child, "message");
  child.send(order);
  const exit = once(child, "exit").then(() => Promise.reject(new Error("the late readers' process ended")));
  await Promise.race([done, exit]);
}

/** Runs it once. */
export async function runLateReaders(options: LateReadersOptions): Promise<LateReadersFigures> {
  const model = await startTalkingModel();
  const folders = temporaryFolders(`
providers:
  - { id: gw, type: compat-gateway, base_url: "${model.baseUrl}", api_key: none }
model: { name: "gw:any", request_timeout: 1800 }
`);
  await using service = startServiceProcess({
    folders,
    env: { SVC_MODEL: "", ...(options.collect && collectingEnvironment(folders.root)) },
  });
  const child = fork(READERS, { execArgv: [] });
  try {
    const url = await service.ready;
    const port = Number(new URL(url).port);
    const talk = { floodChars: options.chars, talkMs: 1 };
    /** Every reader asks for another Task: the newest cursors are those of the longest ones. */
    const come = async (taskId: string, count: number): Promise<void> => {
      const last = Math.floor(options.chars / (8 * 1024));
      const requests = Array.from({ length: count }, (_, i) => requestsFor(port, taskId, last - (i % 50)));
      await send(child, { do: "ask", port, requests: requests.flat().slice(0, count) });
      await atRest(url);
    };
    if (options.warm !== false) {
      model.next(talk, Promise.resolve(), Promise.resolve());
      const earlier = await startHealthyReader(url);
      await earlier.ended;
      // A few, so that V8's generations have the size that they have under such work.
      await come(earlier.taskId, Math.ceil(options.readers / 5));
      await send(child, { do: "leave" });
    }

    const talking = Promise.withResolvers<void>();
    model.next({ ...talk, talkMs: 2_000 }, Promise.resolve(), talking.promise);
    const healthy = await startHealthyReader(url);
    await healthy.received(options.chars);
    await atRest(url);
    const heldBefore = options.collect ? await heldMemory(service) : 0;
    const idle = await memory(url);
    const most = watchMemory(url);
    await come(healthy.taskId, options.readers);
    const held = options.collect ? { held: (await heldMemory(service)) - heldBefore } : {};
    // The task goes on under them, and ends.
    talking.resolve();
    await healthy.ended;
    await atRest(url);
    const peak = await most();
    await send(child, { do: "leave" });
    const after = await memoryBelow(url, idle + options.backWithin, BACK_MS);
    return { idle, peak, after, ...held };
  } finally {
    child.kill("SIGKILL");
    model.close();
    folders.remove();
  }
}
