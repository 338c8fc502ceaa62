/** One life of the service: a child process on the trial's store, from its start to its end. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { WAIT_LIMIT_MS } from "../run/limits.ts";
import { bundledService } from "./bundled-service.ts";
import { setDeadline } from "./deadline.ts";
import type { SelfKill } from "./kill-moment.ts";
import type { ServiceQuestion, ServiceReport } from "./proof-service.ts";

/** What a restart does to open tasks (A18). */
export type OnRestart = "auto" | "fail" | "resume";

/** Where a trial keeps what it leaves. */
export interface TrialFolder {
  readonly home: string;
  readonly config: string;
  readonly deeds: string;
  /** Programs that commands find; undefined: none but the machine's. */
  readonly programs?: string;
  /** When the trial began, in epoch milliseconds: from then on the webhooks' time runs faster. */
  readonly epoch: number;
  /** How much faster than the machine's the engine's time runs from then on; default: it does not. */
  readonly speed?: number;
  /** Environment variables of the life that starts next, beside those of every life. */
  readonly variables?: { [name: string]: string };
}

/** A process that was started. */
export interface ServiceLife {
  /** Its address once it answers; undefined when it ended before. */
  readonly ready: Promise<string | undefined>;
  /** Resolves when the process is gone, with what it wrote to its log and whether a kill ended it. */
  readonly gone: Promise<{ readonly log: string; readonly killed: boolean }>;
  kill(): void;
  /** Asks it to stop, as whoever runs services does. */
  stop(): void;
  /** Resolves when nothing runs or waits any more, with the ids of the tasks that are not terminal. */
  idle(): Promise<readonly string[]>;
  /** Resolves when every webhook of a task that has ended was sent its end, or given up. */
  settled(): Promise<void>;
}

/** Milliseconds a start, or coming to rest, may take. */
const DEADLINE_MS = WAIT_LIMIT_MS;

/** Starts a life. `selfKill` arms a moment at which it ends itself. */
export function startLife(folder: TrialFolder, selfKill: SelfKill | undefined, compileCache: string): ServiceLife {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [bundledService("proof-service")], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...{ PATH: folder.programs === undefined ? PATH : `${folder.programs}:${PATH}`, HOME, TMPDIR },
      SVC_HOME: folder.home,
      SVC_CONFIG_DIR: folder.config,
      SVC_MODEL: "scripted:demo",
      SVC_UI: "none",
      TASKS_DB_PATH: `${folder.home}/issues.db`,
      KNOWLEDGE_DB_PATH: `${folder.home}/memories.db`,
      LOG_LEVEL: "WARNING",
      // In the suite all processes share what one has compiled.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache,
      PUSH_NOTIFICATION_ALLOWED_CIDRS: "127.0.0.0/8",
      PROOF_DEEDS: folder.deeds,
      PROOF_EPOCH: String(folder.epoch),
      PROOF_SPEED: String(folder.speed ?? 1),
      PROOF_KILL: JSON.stringify(selfKill ?? null),
      ...folder.variables,
    },
  });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    log += chunk;
  });
  let alive = true;
  const gone = once(child, "close").then(() => ({ log, killed: child.signalCode === "SIGKILL" }));
  child.once("exit", () => {
    alive = false;
  });
  const said = (kind: ServiceReport["kind"]): Promise<ServiceReport | undefined> =>
    new Promise((resolve) => {
      const hear = (message: unknown): void => {
        if ((message as ServiceReport).kind === kind) done(message as ServiceReport);
      };
      const deadline = setDeadline(DEADLINE_MS);
      deadline.signal.addEventListener("abort", () => child.kill("SIGKILL"));
      const ended = (): void => done(undefined);
      function done(report: ServiceReport | undefined): void {
        deadline.clear();
        child.off("message", hear);
        child.off("exit", ended);
        resolve(report);
      }
      child.on("message", hear);
      child.once("exit", ended);
      if (!alive) done(undefined);
    });
  const ask = (question: ServiceQuestion, answer: ServiceReport["kind"]): Promise<ServiceReport | undefined> => {
    const report = said(answer);
    child.send(question, () => {});
    return report;
  };
  return {
    ready: said("ready").then((report) => (report?.kind === "ready" ? report.url : undefined)),
    gone,
    kill: () => void child.kill("SIGKILL"),
    stop: () => void child.kill("SIGTERM"),
    async idle() {
      const heard = await ask("idle?", "idle");
      if (heard?.kind !== "idle") throw new Error("the service did not come to rest");
      return heard.open;
    },
    async settled() {
      if ((await ask("settled?", "settled")) === undefined) throw new Error("webhooks are told without end");
    },
  };
}

/** The name of a store; undefined where there is none yet. */
function uidOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const db = new DatabaseSync(file);
  try {
    return (db.prepare("SELECT uid FROM instance").get() as { uid: string } | undefined)?.uid;
  } catch {
    // It was killed before it had made its tables.
    return undefined;
  } finally {
    db.close();
  }
}

/** Programs that services on this store started and that run now. Linux knows; elsewhere nothing is looked at. */
export function startedPrograms(file: string): readonly number[] {
  const uid = uidOf(file);
  if (uid === undefined || !existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "latin1");
      return environment.includes(`AGENT_SERVICE_PROCESS=${uid}.`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Ends what killed services on this store started, where no next start does. */
export function endStartedPrograms(file: string): void {
  for (const pid of startedPrograms(file))
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
}

/** Programs of a service that has ended: at the latest the next start ends them, and a stop does (PR1, PR2). */
export async function checkProcesses(
  file: string,
  { blame }: { readonly blame: (what: string) => void },
): Promise<void> {
  const until = performance.now() + WAIT_LIMIT_MS;
  while (startedPrograms(file).length > 0 && performance.now() < until) await sleep(20);
  for (const pid of startedPrograms(file)) blame(`PR2: process ${pid} outlives its service`);
}
